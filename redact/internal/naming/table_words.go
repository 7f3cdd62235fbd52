package naming

// secretWords are words about secrets, and similar words that are not.
var secretWords = map[string]Class{
	"auth": ClassSecret, "authorization": ClassSecret, "bearer": ClassSecret, "cookie": ClassSecret, "cred": ClassSecret, "creds": ClassSecret,
	"dsn": ClassSecret, "jwt": ClassSecret, "otp": ClassSecret, "totp": ClassSecret, "sig": ClassSecret, "signature": ClassSecret,
	"sessionid": ClassSecret, "dockercfg": ClassSecret, "dockerconfigjson": ClassSecret, "mnemonic": ClassSecret, "psk": ClassSecret, "pw": ClassSecret,
	"bypass": ClassOther, "compass": ClassOther, "encompass": ClassOther, "surpass": ClassOther, "trespass": ClassOther, "overpass": ClassOther,
	"nonsecret": ClassOther,
}

// keyWords are the words before "key" that make its value a secret.
var keyWords = set("access account admin aes age api app application auth bot bucket cipher client consumer crypto decryption deploy encrypt encryption " +
	"functions gpg hmac ingest integration jwt license master password pgp preshared private role root rsa secret server session shared sign signing ssh ssl " +
	"storage stream subscription tls token unseal vault webhook wireguard write")

// joinedNames are names of two joined words whose value is a secret.
var joinedNames = set("sessionid sessioncookie")

// settingWords end the names of fields that describe a secret, such as its
// name, place or generation.
var settingWords = set("account age algorithm alg annotation annotations at attempt attempts audience audiences backend by bytes cache class condition config configs " +
	"context controller count date dir directory duration email enabled encoding encryption endpoint engine error errors exists expiration expired expires expiry " +
	"field fields file files format found generation generator group groups header host hours id ids index interval issuer kind kinds label labels len length " +
	"lifetime limit lister location manager message method minutes missing mode mount mounts name names namespace namespaces object objects operator path paths " +
	"period policies policy port prefix project property provider ready reason ref references reference refs region request requests required resource review role " +
	"roles rotation rule rules scheme scope scopes seconds selector server service set size source sources state status store stores strategy suffix synced " +
	"template templates time timeout timestamp ttl type types uri url usage user username users valid validation version volume volumes")
