"""The costs of the program, each part beside something that is not ours."""
