package redact

// formats are secrets with a prefix by which their issuers make them recognizable.
var formats = []struct {
	prefix string
	least  int    // minimum number of bytes after the prefix
	kind   string //
	more   string // other bytes that the secret may contain
}{
	{"AKIA", 16, anAccessKey, ""}, {"ASIA", 16, anAccessKey, ""}, {"ABIA", 16, anAccessKey, ""}, {"ACCA", 16, anAccessKey, ""},
	{"ghp_", 20, aToken, ""}, {"gho_", 20, aToken, ""}, {"ghu_", 20, aToken, ""}, {"ghs_", 20, aToken, ""}, {"ghr_", 20, aToken, ""}, {"github_pat_", 20, aToken, ""},
	{"glpat-", 16, aToken, "."}, {"gldt-", 16, aToken, ""}, {"glrt-", 16, aToken, "."}, {"glcbt-", 16, aToken, ""}, {"glptt-", 16, aToken, ""}, {"glsoat-", 16, aToken, ""},
	{"glc_", 20, aToken, "=+/"}, {"glsa_", 20, aToken, ""},
	{"xoxb-", 10, aToken, ""}, {"xoxp-", 10, aToken, ""}, {"xoxa-", 10, aToken, ""}, {"xoxr-", 10, aToken, ""}, {"xoxs-", 10, aToken, ""}, {"xoxe-", 10, aToken, ""},
	{"xoxe.", 10, aToken, "."}, {"xapp-", 10, aToken, ""},
	{"sk_live_", 16, aKey, ""}, {"sk_test_", 16, aKey, ""}, {"rk_live_", 16, aKey, ""}, {"rk_test_", 16, aKey, ""}, {"whsec_", 16, aKey, "=+/"},
	{"sk-ant-", 16, aKey, ""}, {"sk-proj-", 16, aKey, ""}, {"sk-", 32, aKey, ""},
	{"AIza", 30, aKey, ""}, {"ya29.", 16, aToken, "."}, {"GOCSPX-", 16, aKey, ""}, {"1//0", 20, aToken, ""},
	{"npm_", 20, aToken, ""}, {"pypi-AgE", 16, aToken, ""}, {"rubygems_", 20, aToken, ""}, {"SG.", 20, aKey, "."},
	{"dop_v1_", 20, aToken, ""}, {"doo_v1_", 20, aToken, ""}, {"hvs.", 16, aToken, ""}, {"hvb.", 16, aToken, ""}, {"hf_", 20, aToken, ""},
	{"dckr_pat_", 16, aToken, ""}, {"dckr_oat_", 16, aToken, ""}, {"shpat_", 20, aToken, ""}, {"shpss_", 20, aToken, ""}, {"sq0atp-", 16, aToken, ""}, {"sq0csp-", 16, aToken, ""},
	{"AGE-SECRET-KEY-1", 20, aPrivateKey, ""}, {"lin_api_", 20, aKey, ""}, {"ATATT3", 20, aToken, "="}, {"ATBB", 24, aToken, ""}, {"NRAK-", 20, aKey, ""},
	{"nvapi-", 20, aKey, ""}, {"gsk_", 20, aKey, ""}, {"sbp_", 20, aToken, ""}, {"pul-", 32, aToken, ""}, {"dp.pt.", 16, aToken, ""}, {"dp.st.", 16, aToken, "."},
	{"EAACEdEose0cBA", 10, aToken, ""}, {"PMAK-", 20, aKey, ""}, {"tskey-", 12, aKey, ""}, {"dapi", 32, aToken, ""}, {"r8_", 30, aToken, ""}, {"LTAI", 16, anAccessKey, ""},
}
