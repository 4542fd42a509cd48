"""What the script of the lesson's page says."""

from resizelab.teaching.messages import spoken

WORDS = spoken(
    {
        "choices": "Show the choices",
        "tallies": "Show the tallies",
        "clear": "Clear",
        "more": "one more hand for {letter}",
        "less": "one hand less for {letter}",
        "hands": "Hands: {all}",
        "write": "Write your number down.",
        "notes": "Notes",
        "speaker": "Speaker notes",
        "before": "Slide before",
        "next": "Next slide",
        "full": "Full screen",
        "page": "Page",
        "leave": "Leave the slides",
    }
)
