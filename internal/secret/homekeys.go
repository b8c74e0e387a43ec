package secret

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/random"
	"cove/internal/secret/keyring"
)

// HomeKeys finds the key of a data folder: in its key file, or in the keyring of the system. A record in the data
// folder says that the keyring has it. While there is such a record no other key is ever made, so that a keyring that
// is locked or away loses nothing. Its methods may be called from any goroutine.
type HomeKeys struct {
	home paths.Home
	ring keyring.Ring
	// prefers says that a new key goes into the keyring where there is one.
	prefers bool

	mu     sync.Mutex
	failed error     // what the keyring said last
	until  time.Time // and how long it is not asked again
}

// NewHomeKeys returns the keys of a data folder.
func NewHomeKeys(home paths.Home) *HomeKeys {
	return &HomeKeys{home: home, ring: keyring.System}
}

// PreferKeyring makes a new key go into the keyring, where the system has one that is open.
func (k *HomeKeys) PreferKeyring() *HomeKeys {
	k.prefers = keyring.Preferred
	return k
}

// record says that the keyring has the key.
type record struct {
	Version int    `json:"version"`
	Name    string `json:"name"`  // in the keyring
	Check   string `json:"check"` // tells the key from others, and nothing about it
	Beside  []byte `json:"beside,omitempty"`
}

func checkOf(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("cove secret key"))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

func (k *HomeKeys) file() KeyFile { return KeyFile(k.home.SecretKey()) }

// Key implements Keys.
func (k *HomeKeys) Key(create bool) ([]byte, error) {
	// The file comes first, then the record. When a key moves, there is always one of them at least; whoever looks in
	// between looks again.
	for range 2 {
		key, err := k.file().Key(false)
		noFile := errors.Is(err, os.ErrNotExist)
		if err != nil && !noFile {
			return nil, err
		}
		r, rerr := k.record()
		if rerr != nil {
			return nil, rerr
		}
		switch {
		case r == nil && !noFile:
			return key, nil
		case r != nil && !noFile && checkOf(key) != r.Check:
			return nil, unreadable("The key file and the keyring have different keys of the secrets.").
				WithHint("Move away " + string(k.file()) + " or " + k.home.SecretKeyring() +
					", whichever is not of these secrets.")
		case r != nil && !noFile:
			return key, nil // it was about to move
		case r != nil:
			return k.fromRing(r)
		}
	}
	if !create {
		return k.file().Key(false)
	}
	if k.prefers {
		key := make([]byte, keyBytes)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		if k.toRing(key) == nil {
			return key, nil
		}
	}
	return k.file().make()
}

// record reads the record; nil if there is none.
func (k *HomeKeys) record() (*record, error) {
	raw, err := os.ReadFile(k.home.SecretKeyring())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Disk(err)
	}
	var r record
	if json.Unmarshal(raw, &r) != nil || r.Version != 1 || r.Name == "" || r.Check == "" {
		return nil, unreadable("The file " + k.home.SecretKeyring() + " cannot be read.").
			WithHint("Restore it from a backup; or remove it and set the secrets again.")
	}
	return &r, nil
}

// retryTime is how long HomeKeys waits before it asks again a keyring that has failed: answers to agents wait for the
// keyring.
const retryTime = 10 * time.Second

// fromRing reads the key from the keyring.
func (k *HomeKeys) fromRing(r *record) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed != nil && time.Now().Before(k.until) {
		return nil, k.failed
	}
	key, err := k.ring.Get(context.Background(), r.Name, r.Beside)
	if err == nil && (len(key) != keyBytes || checkOf(key) != r.Check) {
		err = keyring.ErrAbsent // another value is under its name
	}
	if err != nil {
		k.failed, k.until = k.explain(err), time.Now().Add(retryTime)
		return nil, k.failed
	}
	k.failed = nil
	return key, nil
}

// explain says why the key cannot be had, and what to do.
func (k *HomeKeys) explain(err error) error {
	const which = "The system's keyring, which has the key of the secrets, "
	text, hint := which+"cannot be reached.", "Start Cove in your desktop session, and try again."
	switch {
	case errors.Is(err, keyring.ErrLocked):
		text, hint = which+"is locked.", "Unlock it, and try again."
	case errors.Is(err, keyring.ErrAbsent):
		text = "The system's keyring no longer has the key of the secrets."
		hint = "Restore the keyring from a backup; or remove " + k.home.SecretKeyring() + " and set the secrets again."
	}
	return fault.New(fault.CodeKeyring, text, hint).Because(err)
}

// toRing stores a key in the keyring, and the record when the keyring has given the key back.
func (k *HomeKeys) toRing(key []byte) error {
	r := record{Version: 1, Name: random.Hex(16), Check: checkOf(key)}
	ctx := context.Background()
	var err error
	if r.Beside, err = k.ring.Set(ctx, r.Name, key); err != nil {
		return err
	}
	got, err := k.ring.Get(ctx, r.Name, r.Beside)
	if err == nil && !hmac.Equal(got, key) {
		err = keyring.ErrAway
	}
	if err != nil {
		_ = k.ring.Delete(ctx, r.Name)
		return err
	}
	raw, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return paths.WriteFile(k.home.SecretKeyring(), append(raw, '\n'))
}

// InKeyring reports whether the keyring has the key, and whether there is a key at all.
func (k *HomeKeys) InKeyring() (is, exists bool, err error) {
	r, err := k.record()
	if err != nil || r != nil {
		return r != nil, r != nil, err
	}
	_, err = os.Stat(k.home.SecretKey())
	if errors.Is(err, os.ErrNotExist) {
		return false, false, nil
	}
	return false, err == nil, err
}

// Move moves the key into the keyring, or from there into the key file. The key is in its new place, and was read
// there, before it leaves the old one.
func (k *HomeKeys) Move(toKeyring bool) error {
	release, err := acquire(k.home.SecretLock())
	if err != nil {
		return err
	}
	defer release()
	r, err := k.record()
	if err != nil {
		return err
	}
	key, err := k.Key(true)
	if err != nil {
		return err
	}
	if !toKeyring {
		return k.moveToFile(key, r)
	}
	if r == nil {
		if err := k.toRing(key); err != nil {
			return k.explain(err)
		}
	}
	if r, err = k.record(); err != nil {
		return err
	}
	if _, err := k.fromRing(r); err != nil {
		return err
	}
	if err := os.Remove(k.home.SecretKey()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fault.Disk(err)
	}
	return nil
}

func (k *HomeKeys) moveToFile(key []byte, r *record) error {
	if r == nil {
		return nil // it is there
	}
	if err := paths.WriteFile(k.home.SecretKey(), key); err != nil {
		return fault.Disk(err)
	}
	if got, err := k.file().Key(false); err != nil || !hmac.Equal(got, key) {
		return unreadable("The key file was not written as it should be.").WithHint("Try again.")
	}
	if err := os.Remove(k.home.SecretKeyring()); err != nil {
		return fault.Disk(err)
	}
	_ = k.ring.Delete(context.Background(), r.Name) // what is left there opens nothing more than the file does
	return nil
}
