package journal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"cove/internal/paths"
	"cove/internal/profile"
)

// Key seals rows, so that nobody without the key can write a journal that verifies.
type Key []byte

// keyMu stops two profiles that open at the same time from making two keys.
var keyMu sync.Mutex

// ReadKey reads the key file, and creates it when there is none. Only the app calls it.
func ReadKey(name string) (Key, error) {
	keyMu.Lock()
	defer keyMu.Unlock()
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		key := make(Key, sha256.Size)
		_, _ = rand.Read(key)
		return key, paths.WriteFile(name, []byte(hex.EncodeToString(key)+"\n"))
	}
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(raw)))
	if err != nil || len(key) != sha256.Size {
		return nil, fmt.Errorf("%s is not a key: put the file back from a backup, or remove it", name)
	}
	return key, nil
}

// Of derives the key of one profile's journal, so that the journal of another profile does not verify in its place.
func (k Key) Of(id profile.ID) Key {
	return k.sum("journal of profile " + strconv.Itoa(int(id)))
}

// seal returns the code that authenticates a row's hash or a head.
func (k Key) seal(what string) string {
	return hex.EncodeToString(k.sum(what)[:sealBytes])
}

// sealBytes is the length of a seal. Nobody can guess that many bytes.
const sealBytes = 16

func (k Key) sum(what string) []byte {
	m := hmac.New(sha256.New, k)
	_, _ = m.Write([]byte(what))
	return m.Sum(nil)
}

func (k Key) fits(what, seal string) bool {
	return hmac.Equal([]byte(k.seal(what)), []byte(seal))
}
