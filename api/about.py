"""A few sentences about every operation, for the reference. One without its sentences fails `make lint`."""

ABOUT: dict[str, str] = {
    "health": (
        "For load balancers and watch dogs: asks the database one small question. Needs no token and is not "
        "counted by the limits."
    ),
    "version": (
        "The server's own version, the version of this API, and the version of each ruleset. A match keeps "
        "the ruleset version it began with."
    ),
    "register": (
        "Makes an account and sends a mail that proves the address. Sign in afterwards. A host may have "
        "closed registration."
    ),
    "login": (
        "Exchanges name and password for a token of scope `admin`, which is shown once. Make smaller tokens "
        "for programs with it. The token lasts until you sign out with it or withdraw it."
    ),
    "logout": "Makes the token void that is sent with the request; a browser session ends.",
    "me": "The person behind the token.",
    "me_change": "Changes only what is sent. Needs a token of scope `admin`.",
    "password_change": (
        "Asks for the old password. All other tokens become void and browser sessions end; the token that is "
        "used stays."
    ),
    "addresses_list": "With whether each is proved and whether mail to it came back. Orders count from any proved one.",
    "addresses_add": "It counts once the mail that is sent there has been answered. Three a day, five in all.",
    "addresses_drop": "Mail from there is a stranger's from now on. The last proved address cannot be dropped.",
    "tokens_list": "Every token with its scope, its end and when it was used last, never the secret itself.",
    "tokens_create": (
        "`scope` is `read` (look), `play` (look and play) or `admin` (everything). `match` binds the token to "
        "your seat of that match, for a bot that should reach nothing else; such a token is at most `play`. "
        "Without `days` it has no end. The secret is shown once."
    ),
    "tokens_withdraw": "Requests with it are refused from now on, and its streams end.",
    "rulesets_list": "Every game that can be played here.",
    "rulesets_get": (
        "Seats, options with their choices and defaults, bots with the seats they can take, and every verb a "
        "player may type."
    ),
    "rulesets_rules": (
        "The game's page as Markdown (where each rule is, our readings, options, orders) and every step of "
        "the game with its rule number."
    ),
    "rulesets_board": (
        "Printed facts that are the same for all matches: places with their position on the drawn map, which "
        "of them touch, and every counter or card by the id that orders use. Enough to draw a board of your "
        "own."
    ),
    "rulesets_notation": (
        "How each verb is written and what it does; shorthands that stand for several orders; the names that "
        "standing orders may use."
    ),
    "invitations_list": "The newest 200 that you sent or received.",
    "invitations_get": "As the two sides may read it: the host never learns the address behind a name.",
    "invitations_cancel": "Only while it is open, and only by the one who sent it.",
    "invitations_accept": (
        "You take the seat; when it was the last empty one, the match starts. Only for the invited person: by "
        "name, or by an address they have proved."
    ),
    "invitations_decline": "The host is told, and cannot invite you again for a month.",
    "stream": (
        "Server-sent events, or JSON lines with `form=ndjson`: one event when a match of yours has moved, "
        "with `asked` when you owe an answer. Come again with `Last-Event-ID` and nothing is missed."
    ),
    "matches_list": (
        "Newest first. Filters can be combined; `count` counts all that fit. `next` and `previous` name an id "
        "and are stable while matches are opened."
    ),
    "matches_create": (
        "The match starts at once when every seat is filled. `bots` fills seats with computer players; a "
        "private match is shown only to those in it. `salt` is your part in the dice."
    ),
    "matches_import": (
        "The file that `export` gives. Chain, dice, every action, the position and the outcome are checked; "
        "nothing is kept of a file that fails."
    ),
    "matches_get": "Who plays, how it stands, which seats owe an answer, and once it is over the outcome and the seed.",
    "matches_join": (
        "Takes `seat` or the first empty one; the last to join starts the match. A private match asks for its "
        "`invitation`."
    ),
    "matches_invite": (
        "By `username`, or by `email` for somebody who may never have heard of us; a mail carries it, and the "
        "word `accept` in reply is enough. Only the owner invites, while the match is open. Ten may be open "
        "at once, three a day go to strangers."
    ),
    "matches_leave": "Before the start the seat becomes empty again. Later: resign.",
    "matches_start": (
        "Only the owner, while the match is open. `bots` says which bot takes which seat; the others get the "
        "bot that the game has for the seat."
    ),
    "matches_cancel": "Only the owner, while the match is open.",
    "matches_rematch": (
        "Only after the end, by somebody who played. Against one person the sides are changed and an "
        "invitation is sent; bots sit down at once."
    ),
    "matches_resign": "Ends the match; with two seats the other one wins.",
    "seats_list": "Each seat with its holder, whether it is free or owes an answer, and the bots that could play it.",
    "seats_set": "Only the owner, while the match is open. When the last empty seat is filled the match starts.",
    "messages_list": "Oldest first, for those who hold a seat. `after` is the number of the last one you have.",
    "messages_say": "The others read it here, or with their next mail. Fifty a day.",
    "note_get": "Shown to you alone.",
    "note_set": "The whole text is replaced.",
    "matches_view": (
        "Everything your seat may know, in the words of the ruleset, and nothing else. `at` gives the "
        "position after an earlier entry. A spectator sees what lies open; once the match is over any seat "
        "can be chosen."
    ),
    "matches_decision": (
        "All legal actions: as JSON, in notation, in words, with the rule behind each and the odds where the "
        "rules give some. `asked` is false when you owe nothing. `verb` and `prefix` cut a long list, `limit` "
        "and `offset` page it, `group` counts it by verb or by stem."
    ),
    "matches_orders": (
        "Each order is played in the position the ones before it have made. Everything up to the first "
        "refused one stands, unless `all_or_nothing` is set and nothing was rolled or shown. `dry_run` "
        "rehearses in a world that fits what you know, with other dice, and keeps nothing. Name the version "
        "you looked at in `If-Match`."
    ),
    "matches_entries": (
        "Who did what, with the rolls, chained by hashes. Draws out of sight are shown once the match is "
        "over; then all news is told to everybody."
    ),
    "matches_stream": (
        "Server-sent events, or JSON lines with `form=ndjson`. Come again with `Last-Event-ID` (or `after`) "
        "and it goes on with the next entry. `end` closes the stream of a match that is over."
    ),
    "matches_take_back": (
        "Granted at once if nobody has learned anything from the entries, else the other seats are asked. "
        "Nothing is removed: an entry says which ones are void."
    ),
    "matches_take_back_answer": "When all have agreed the entries are taken back; one no is enough to refuse.",
    "standing_orders_list": "Those that are armed, with how often each has answered.",
    "standing_orders_set": (
        "Answers a kind of question from now on, also one that waits already. The text `default` arms what "
        "the game proposes."
    ),
    "standing_orders_rehearse": (
        "Plays the match so far again and says where the order would have answered, and how often as you did "
        "yourself. Nothing is armed."
    ),
    "standing_orders_withdraw": "It answers nothing any more; its number is not used again.",
    "matches_board_svg": (
        "Drawn from your view alone. `at` gives the board after an earlier entry, `crop` only the area of action."
    ),
    "matches_board_png": "As board.svg, `width` pixels wide.",
    "matches_board_txt": "For terminals, screen readers and mails.",
    "matches_dice": "Counts of every face for every seat with a chi-square figure, and the commitment to the seed.",
    "matches_export": (
        "Header, entries and end, one JSON object a line; docs/ledger-format.md describes them. Secrets are "
        "in it once the match is over."
    ),
    "matches_deliveries": "Mails and calls about this match meant for you, newest first, and what became of each.",
    "webhooks_list": "Without their secrets, and the topics a webhook can be about.",
    "webhooks_create": "Only https on public addresses is called. The secret that signs the calls is shown here once.",
    "webhooks_get": "Without its secret.",
    "webhooks_remove": "No more calls; those on their way are dropped.",
    "webhooks_rotate": "For a day calls carry the signatures of both secrets, so that nothing is lost meanwhile.",
    "webhooks_enable": "After ten failed attempts, or a 410, a webhook is switched off; this switches it on again.",
    "webhooks_test": "Makes a call of topic `test`; `calls` tells what became of it.",
    "webhooks_calls": "The newest hundred, each with all its attempts.",
    "webhooks_replay": "Under its old id, so that your program can tell a repetition.",
}
TAGS: dict[str, str] = {
    "server": "The server about itself.",
    "people": "Accounts and tokens.",
    "games": "What can be played, with all that is known before a match.",
    "matches": "Opening, finding, filling and ending matches.",
    "play": "Looking at the table, giving orders, taking back.",
    "talk": "Words between players, and notes.",
    "boards": "The position as picture and as text.",
    "papers": "Dice, files, deliveries.",
    "streams": "Events as they happen.",
    "webhooks": "Addresses of yours that are called.",
}
