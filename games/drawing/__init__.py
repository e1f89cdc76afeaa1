"""The drawing kit: boards as SVG and PNG, in plain Python, the same bytes every time.

Every function returns a piece of SVG as text. A `Drawing` collects pieces in layers and writes them bottom to top:

    from games.drawing import Counter, Diamond, Drawing, Layer, counters, marks, panels, theme, to_png

    t = theme(scene.theme)                                   # light or dark
    d = Drawing(1200, 900, t, title="Second Fallujah")
    d.add(panels.header(t, 1200, "Second Fallujah", scene.heading, scene.corner))
    d.add(svg.polygon(points, t.ground("insurgent", 3)[0]), layer=Layer.TERRAIN)
    d.add(svg.polygon(points, d.pattern("hatch")), layer=Layer.CONTROL)
    d.add(marks.area_badge("mosque", "35", 120, 90), marks.tem_bars(3, 136, 98, t), layer=Layer.BADGES)
    d.add(counters.draw_stack([Counter("1/8-A", left="4", right="7")], 140, 150, 48), layer=Layer.COUNTERS)
    d.add(counters.draw_pile([Diamond("fedayeen", "2", count=3)], 200, 150, 44), layer=Layer.COUNTERS)
    d.add(marks.arrow((140, 60), (140, 120), t), layer=Layer.ARROWS)
    d.add(marks.ballot(3, 240, 70), layer=Layer.BALLOTS)
    picture = d.svg()
    mail = to_png(picture, 828)

palette   Theme (LIGHT, DARK), NATIONS (usmc army iraqi uk usn joint, and usa, ig), mix
type      width_of, cut, wrap, fitted: words are measured, wrapped, shrunk, and cut last
svg       rect circle path polygon line text lines group ring; Drawing with pattern(hatch dots stripes back) and clip
symbols   symbol(name) in 32 x 20, glyph(name) in 20 x 20; names in SYMBOLS, GLYPH_SHAPES, NODES
counters  Counter, Diamond, draw_counter, draw_diamond, draw_stack, draw_pile, draw_both, pip_bar, lost_cross
marks     area_badge tem_bars ballot lit lit_rect arrow fire burst d6 d10 node wave_mark location_box
panels    header panel track chips bar pill result_bar battle_inset event_list legend swatch flow
map       polygons, building footprints, borders and front line, label places, routes, rivers, crops
png       to_png(svg, width)

Yellow (`theme.choose`) means "you may choose this", vermilion (`theme.last`) "this just happened"; nothing else
uses them. Pictures are drawn from views, never from states.
"""

from enum import IntEnum

from games.drawing import counters, map, marks, palette, panels, svg, symbols, type
from games.drawing.counters import Counter, Diamond
from games.drawing.palette import DARK, LIGHT, Theme, theme
from games.drawing.png import to_png
from games.drawing.svg import Drawing, Point


class Layer(IntEnum):
    """Layers of a board, bottom to top."""

    DESERT = 1
    WATER = 2
    TERRAIN = 3
    BUILDINGS = 4
    CONTROL = 5
    STREETS = 6
    ROADS = 7
    FRONT = 8
    CONTESTED = 9
    TARGETS = 10
    ARROWS = 11
    BADGES = 12
    COUNTERS = 13
    BALLOTS = 14
    LOST = 15
    PANELS = 16


__all__ = [
    "DARK",
    "LIGHT",
    "Counter",
    "Diamond",
    "Drawing",
    "Layer",
    "Point",
    "Theme",
    "counters",
    "map",
    "marks",
    "palette",
    "panels",
    "svg",
    "symbols",
    "theme",
    "to_png",
    "type",
]
