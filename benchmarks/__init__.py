"""What the program costs, each part beside something that is not ours."""
