package option

import "strings"

// sensitive are the substrings by which Flink's GlobalConfiguration.isSensitive knows a secret, the union over all versions
// up to 2.4 (SENSITIVE_KEYS): masking too much costs less than showing a secret.
var sensitive = [...]string{
	"password", "secret", "fs.azure.account.key", // 1.10
	"apikey",                                                           // 1.11
	"auth-params", "service-key", "token", "basic-auth", "jaas.config", // 1.17
	"http-headers",                          // 1.19
	"api-key",                               // 2.1
	"access-key", "access.key", "accesskey", // 2.4
	".sas.", // Azure's shared access signatures; not in Flink's list
}

// Sensitive tells whether the value of key must not be shown. Like Flink it goes by the name alone.
func Sensitive(key string) bool {
	lower := strings.ToLower(key)
	for _, s := range sensitive {
		if strings.Contains(lower, s) {
			return true
		}
	}
	return false
}
