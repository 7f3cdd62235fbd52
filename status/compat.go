package status

var profileCompat = Profile{name: "compat", doc: "the answers of today's kstatus, bit for bit"}
var profileCompat002 = Profile{name: "compat-0.0.2", doc: "the answers of kstatus v0.0.2"}
