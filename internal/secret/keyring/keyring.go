// Package keyring keeps a key in the keyring of the operating system: the Secret Service on Linux, the Keychain on
// macOS, the Data Protection API on Windows.
package keyring

import (
	"context"
	"errors"
)

// The reasons why a keyring has no answer.
var (
	// ErrAway says that there is no keyring, or that it does not answer.
	ErrAway = errors.New("there is no keyring")
	// ErrLocked says that the person has to unlock the keyring first.
	ErrLocked = errors.New("the keyring is locked")
	// ErrAbsent says that the keyring is open and does not have the entry.
	ErrAbsent = errors.New("the keyring does not have it")
)

// Ring is a keyring.
type Ring interface {
	// Set stores a value under a name. It returns what must be kept beside the name to read the value again; nil for
	// nothing. It never asks the person.
	Set(ctx context.Context, name string, value []byte) (beside []byte, err error)
	// Get reads a value. It never asks the person.
	Get(ctx context.Context, name string, beside []byte) ([]byte, error)
	// Delete removes a value.
	Delete(ctx context.Context, name string) error
}

// label is what the system shows to the person beside an entry, and service the program's name in it.
const (
	label   = "Cove: key of the secrets"
	service = "cove"
)
