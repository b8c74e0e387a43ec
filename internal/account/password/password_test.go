package password

import (
	"strings"
	"testing"
)

func TestPasswordHashes(t *testing.T) {
	hash := Hash("12345678")
	if Hash("12345678") == hash {
		t.Error("two hashes of one password are the same")
	}
	if !Matches(hash, "12345678") {
		t.Error("the right password is refused")
	}
	parts := strings.Split(hash, "$")
	for name, bad := range map[string]string{
		"nothing":         "",
		"another kind":    strings.Replace(hash, "argon2id", "argon2i", 1),
		"another version": strings.Replace(hash, "v=19", "v=16", 1),
		"no passes":       strings.Replace(hash, "t=2", "t=0", 1),
		"an empty key":    strings.Join(append(parts[:5:5], ""), "$"),
		"a broken salt":   strings.Replace(hash, parts[4], "!", 1),
	} {
		t.Run("a hash with "+name+" fits no password", func(t *testing.T) {
			if bad == hash {
				t.Fatal("the hash was not spoilt")
			}
			if Matches(bad, "12345678") {
				t.Fatal("it fits")
			}
		})
	}
}
