"""Every step class of the game, for loading."""

import functools
import operator
import types
from typing import Any

from games.kernel.steps import Step
from games.phantom_fury import (
    assault,
    defence,
    fire,
    movement,
    phases,
    reinforce,
    reorganise,
    setting_up,
    support,
    suspects,
)

STEPS: tuple[type[Step], ...] = (
    setting_up.StrongPoints,
    setting_up.Prepare,
    setting_up.PlaceSquads,
    setting_up.Reserves,
    setting_up.AttachCaats,
    setting_up.Muster,
    setting_up.Assign,
    setting_up.FirstTurn,
    phases.Begin,
    phases.Reopen,
    support.SupportPhase,
    support.DragonEye,
    support.Cobra,
    support.Hornet,
    support.Reaction,
    support.Eagle,
    support.CounterAttack,
    support.Blast,
    reinforce.ReinforcePhase,
    reinforce.Iraqis,
    fire.FirePhase,
    suspects.LossChoice,
    assault.AssaultPhase,
    assault.ExplosivesChoice,
    assault.Clash,
    assault.Routed,
    assault.AfterAssault,
    assault.FloodChoice,
    assault.Flood,
    assault.AfterFlood,
    movement.MovePhase,
    movement.Moving,
    movement.DetachChoice,
    movement.Onward,
    movement.ThrownBack,
    movement.TankMoving,
    defence.DefensiveFire,
    reorganise.EndOfTurn,
)
TODO: Any = types.GenericAlias(list, (functools.reduce(operator.or_, STEPS),))  # type: ignore[arg-type]
