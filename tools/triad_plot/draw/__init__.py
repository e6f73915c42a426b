"""What all figures share: colours, panels, scenes in space."""
