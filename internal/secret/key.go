package secret

import (
	"crypto/rand"
	"errors"
	"os"

	"cove/internal/fault"
)

// Keys has the key that secrets are encrypted with.
type Keys interface {
	// Key returns 32 bytes. With create it makes a key when there is none.
	Key(create bool) ([]byte, error)
}

// KeyFile is a key in a file that only this user can read.
type KeyFile string

const keyBytes = 32

// Key implements Keys.
func (f KeyFile) Key(create bool) ([]byte, error) {
	raw, err := os.ReadFile(string(f))
	if errors.Is(err, os.ErrNotExist) && create {
		return f.make()
	}
	if err != nil {
		return nil, unreadable("The secrets' key cannot be read.").Because(err)
	}
	if len(raw) != keyBytes {
		return nil, unreadable("The file " + string(f) + " is not a key.")
	}
	return raw, nil
}

// make writes a new key under another name first: nobody reads half of it, and of two processes one wins.
func (f KeyFile) make() ([]byte, error) {
	key := make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(dirOf(string(f)), "secret.key-*") // 0600
	if err != nil {
		return nil, fault.Disk(err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(key)
	if err == nil {
		err = temp.Sync()
	}
	if cerr := temp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fault.Disk(err)
	}
	if err := os.Link(temp.Name(), string(f)); err != nil && !errors.Is(err, os.ErrExist) {
		if err := os.Rename(temp.Name(), string(f)); err != nil { // a file system without links
			return nil, fault.Disk(err)
		}
	}
	return f.Key(false)
}

func unreadable(text string) *fault.Error {
	return fault.New(fault.CodeSecrets, text,
		"Set the secrets again: cove secret set NAME --profile ID --site ORIGIN")
}
