package secretfield_test

import (
	"testing"

	"kstatus.dev/internal/secretfield"
)

func TestFields(t *testing.T) {
	for field, want := range map[string]struct{ name, reference bool }{
		"dataSecretName":    {true, true},
		"secretRef":         {true, true},
		"identityRef":       {false, true},
		"credentialsSecret": {false, true},
		"Credentials":       {false, true},
		"secretKey":         {false, true},
		"configRef":         {false, false},
		"name":              {false, false},
	} {
		t.Run(field, func(t *testing.T) {
			if have := secretfield.IsName(field); have != want.name {
				t.Errorf("IsName = %t, want %t", have, want.name)
			}
			if have := secretfield.IsReference(field); have != want.reference {
				t.Errorf("IsReference = %t, want %t", have, want.reference)
			}
		})
	}
}
