"""The colours of all charts."""

#: Colours that are told apart by most colour-blind readers (Okabe and Ito), in the order of the schedulers.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#999933"]
