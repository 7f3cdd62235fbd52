package status

var hintsStorage = Hints{}
