// Package security has the rules about encryption and login.
package security

import (
	"github.com/flinkadvise/flinkadvise/advisor"
	"github.com/flinkadvise/flinkadvise/schema/quantity"
)

// given tells whether an option has text, or text that is not known here.
func given(t *advisor.Target, key string) bool {
	v := t.Conf.String(key)
	return v.Set() && (!v.Has || quantity.Trim(v.V) != "")
}
