package status

var hintsBackup = Hints{}
