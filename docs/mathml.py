"""Formulae of the site: $..$ and $$..$$ become MathML when the site is made, so that pages need no script and no network.

docutils, which Sphinx stands on, turns LaTeX into MathML. What it and browsers lack is put right here: the number of an
equation, \\tag{7}, which goes to the right and can be linked to (#equation-7); aligned lines; and letters in bold or script,
which browsers take as characters of their own only."""

import inspect
import re
import unicodedata
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

TAG = re.compile(r"\s*\\tag\{(\w+)\}")
ALIGNED = re.compile(r"\\(?:begin|end)\{aligned\}")
BAR_MADE, BAR_MEANT = re.compile(r"<mo[^>]*>([|‖])</mo>"), re.compile(r"\\([lr])[vV]ert|[|]")
STYLED = re.compile(r'<mi mathvariant="(bold|script)">(\w)</mi>')
ACCENTED = re.compile(r"\\(?:bar|hat|tilde|dot)\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\?[A-Za-z]+?)(?=[_^])")
BOLD_GREEK = re.compile(r"\\boldsymbol\{\\(\w+)\}")
# What TeX sets otherwise than MathML: nothing around a slash, a sign after a comma, brackets of a line's height, upright
# Greek capitals; and, which docutils forgets, a little room around the names of functions.
AS_TEX = (('<mo stretchy="false">/</mo>', '<mo lspace="0" rspace="0" stretchy="false">/</mo>'),
          ("<mo>,</mo><mo>−</mo>", '<mo>,</mo><mo form="prefix">−</mo>'),
          *((f"<mo>{bracket}</mo>", f'<mo stretchy="false">{bracket}</mo>') for bracket in "⟨⟩⌊⌋"),
          ('<mi class="capital-greek">', '<mi mathvariant="normal">'), ('class="ams-align"', 'class="align"'))
FUNCTION = re.compile(r"\\(sin|cos|tanh|exp)(?= )")
# The capitals of mathematical script that Unicode had before it had the alphabet.
SCRIPT = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ"}
PARTS = {"mfrac": 2, "msup": 2, "msub": 2, "mover": 2, "munder": 2, "msubsup": 3, "munderover": 3}
# one keyword says "display" in all of docutils' releases, though not the same one
DISPLAY = {"as_block": True} if "as_block" in inspect.signature(tex2mathml).parameters else {"inline": False}


def styled(found):
    """A letter of Unicode's mathematical alphabets: mathvariant="bold">u becomes >𝐮."""
    style, letter = found[1], found[2]
    if style == "script" and letter in SCRIPT:
        return f"<mi>{SCRIPT[letter]}</mi>"
    case = "CAPITAL" if letter.isupper() else "SMALL"
    return f'<mi>{unicodedata.lookup(f"MATHEMATICAL {style.upper()} {case} {letter}")}</mi>' if letter.isalpha() else found[0]


def bold_greek(found):
    """\\boldsymbol{\\Omega} as its character, upright where TeX has it so."""
    name = found[1]
    return unicodedata.lookup(f"MATHEMATICAL BOLD {'CAPITAL' if name[0].isupper() else 'ITALIC SMALL'} {name}")


def check_whole(tex, made):
    """What docutils lets pass: braces and \\left without a partner, a fraction or an index of which a part is missing."""
    bare = re.sub(r"\\[{}]", "", tex)
    if bare.count("{") != bare.count("}") or len(re.findall(r"\\left\b", tex)) != len(re.findall(r"\\right\b", tex)):
        raise ValueError(f"braces do not match: {tex!r}")
    for element in ElementTree.fromstring(made.replace("&ApplyFunction;", "")).iter():
        if len(element) != PARTS.get(element.tag.split("}")[-1], len(element)):
            raise ValueError(f"a part is missing: {tex!r}")


def mathml(tex, display=False):
    """LaTeX as a <math> element. Raises ValueError where it is not understood."""
    try:
        plain = ACCENTED.sub(r"{\g<0>{}}", ALIGNED.sub("", tex).strip())  # else indices go below the accent
        plain = BOLD_GREEK.sub(bold_greek, FUNCTION.sub(r"\\,\g<0>\\,", plain))
        made = tex2mathml(plain, **(DISPLAY if display else {}))
    except (SyntaxError, IndexError, AttributeError, KeyError) as error:
        raise ValueError(f"not understood: {tex!r}: {error}") from None
    check_whole(plain, made)
    # a bar opens or closes, which the element must tell: bars come out in the order in which they went in
    meant = iter([{"l": "prefix", "r": "postfix"}.get(bar[1], "infix") for bar in BAR_MEANT.finditer(tex)])
    made = BAR_MADE.sub(lambda bar: f'<mo form="{next(meant, "infix")}" stretchy="false">{bar[1]}</mo>', made)
    made = re.sub(r">\s+<", "><", made)
    for what, better in AS_TEX:
        made = made.replace(what, better)
    return STYLED.sub(styled, made)


def equation(tex):
    """A displayed formula, with its number at its right."""
    tag = TAG.search(tex)
    made = mathml(TAG.sub("", tex), display=True)
    if not tag:
        return f'<div class="equation">{made}</div>\n'
    return f'<div class="equation" id="equation-{tag[1]}">{made}<span class="eqno">({tag[1]})</span></div>\n'


def keep_together(app, doctree):
    """A bracket or comma beside a formula stays on its line: browsers would break there."""
    for formula in list(doctree.findall(nodes.math)):
        line, at = formula.parent, formula.parent.index(formula)
        for side, beside, cut in (("before", at - 1, r"(?s)(.*?)(\(?)\Z"), ("after", at + 1, r"(?s)([.,;:)]*)(.*)\Z")):
            if 0 <= beside < len(line) and isinstance(line[beside], nodes.Text):
                first, second = re.match(cut, line[beside].astext()).groups()
                formula[side], rest = (second, first) if side == "before" else (first, second)
                line[beside] = nodes.Text(rest)


def visit_inline(writer, node):
    before, after, made = node.get("before", ""), node.get("after", ""), mathml(node.astext())
    writer.body.append(f'<span class="together">{before}{made}{after}</span>' if before or after else made)
    raise nodes.SkipNode


def visit_display(writer, node):
    writer.body.append(equation(node.astext()))
    raise nodes.SkipNode


def setup(app):
    app.connect("doctree-read", keep_together)
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
