package redact

// queryNames are names that are secret only in the query of a URL.
var queryNames = set("sig signature x-amz-signature x-amz-credential x-amz-security-token x-goog-signature x-goog-credential key code access_token id_token " +
	"refresh_token client_secret assertion st se_token")

// hiddenWords replace a secret, or mean none.
var hiddenWords = set("null nil none true false yes no undefined unset empty redacted hidden masked removed secret omitted sensitive a password token key private access")

// proseWords are words of sentences about secrets.
var proseWords = set("a access after all already an and any are as at authentication authorization be because been before but by can cannot context could couldn't " +
	"deadline denied did disabled does doesn't empty enabled error exceeded exists expected expired failed fails failure failing for forbidden found from get got had has have http https if " +
	"ignored in incorrect internal into invalid is it its key length malformed may mismatch missing must need needs neither never no none nor not of on only operation " +
	"option or parse parsing permission please post put read refused rejected required requires reset retry rotate rotated rpc same secret secrets set should signature since size so " +
	"some that the then there this timeout to too token tokens unable unauthorized unauthenticated unavailable unexpected unknown unset unsupported until used user using valid value verification " +
	"wait waiting was were when which while will with without wrong you your password passwords connection dial flag argument ok rotation updated created deleted loaded " +
	"generated synced changed configured specified provided present absent unchanged")

// schemes are words before the credentials of a header.
var schemes = set("bearer basic token digest apikey negotiate aws4-hmac-sha256 hawk ntlm splunk genie-key key")

// webhooks are hosts with the path prefix after which the path is secret.
var webhooks = []struct{ host, path string }{
	{"hooks.slack.com", "/services/"}, {"hooks.slack.com", "/workflows/"}, {"hooks.slack.com", "/triggers/"},
	{"discord.com", "/api/webhooks/"}, {"discordapp.com", "/api/webhooks/"}, {"webhook.office.com", "/webhookb2/"}, {"outlook.office.com", "/webhook/"},
	{"api.telegram.org", "/bot"}, {"hooks.zapier.com", "/hooks/"}, {"chat.googleapis.com", "/v1/spaces/"}, {"maker.ifttt.com", "/trigger/"}, {"events.pagerduty.com", "/integration/"},
}

// tools are commands with the short flags that take a password.
var tools = map[string]string{
	"mysql": "p", "mysqldump": "p", "mysqladmin": "p", "mysqlimport": "p", "mysqlcheck": "p", "mariadb": "p", "mariadb-dump": "p", "mariadb-admin": "p",
	"sshpass": "p", "redis-cli": "a", "valkey-cli": "a", "mongo": "p", "mongosh": "p", "mongodump": "p", "mongorestore": "p",
	"login": "p", "ldapsearch": "w", "ldapwhoami": "w", "ldapadd": "w", "ldapmodify": "w", "sqlcmd": "P", "mosquitto_pub": "P", "mosquitto_sub": "P", "unzip": "P",
	"ipmitool": "P", "cqlsh": "p", "influx": "p", "az": "p", "kinit": "w", "7z": "p",
}

// joinedFlagCommands are commands whose short flag and password are one word.
var joinedFlagCommands = set("mysql mysqldump mysqladmin mysqlimport mysqlcheck mariadb mariadb-dump mariadb-admin sshpass unzip 7z mongo redis-cli ldapsearch sqlcmd")
