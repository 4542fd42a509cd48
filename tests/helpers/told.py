"""Tables of tests as text: a line at the margin, and what belongs to it below."""


def blocks(text: str) -> dict[str, str]:
    """Return what stands indented below each line of a text, in one line."""
    found: dict[str, list[str]] = {}
    for line in text.strip().splitlines():
        if line.startswith(" "):
            found[list(found)[-1]].append(line.strip())
        elif line:
            found[line] = []
    return {key: " ".join(words) for key, words in found.items()}
