package keyring

import (
	"context"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Preferred reports whether a new key goes into the keyring by default. It does not until somebody has tried that on
// Windows.
const Preferred = false

// System is the keyring of this system: the Data Protection API. It stores nothing itself: it encrypts for this user.
var System Ring = dataProtection{}

type dataProtection struct{}

func blob(data []byte) *windows.DataBlob {
	if len(data) == 0 {
		return &windows.DataBlob{}
	}
	return &windows.DataBlob{Size: uint32(len(data)), Data: &data[0]} //nolint:gosec // a key, not gigabytes
}

// entropy returns what a value needs to be decrypted, beside the key of the user.
func entropy(name string) *windows.DataBlob { return blob([]byte(service + " " + name)) }

// copyAndFree copies what the system has allocated, and frees it.
func copyAndFree(b *windows.DataBlob) []byte {
	defer func() { _, _ = windows.LocalFree(windows.Handle(unsafe.Pointer(b.Data))) }()
	return append([]byte(nil), unsafe.Slice(b.Data, b.Size)...)
}

// Set implements Ring.
func (dataProtection) Set(_ context.Context, name string, value []byte) ([]byte, error) {
	about, err := windows.UTF16PtrFromString(label)
	if err != nil {
		return nil, err
	}
	var out windows.DataBlob
	err = windows.CryptProtectData(blob(value), about, entropy(name), 0, nil, windows.CRYPTPROTECT_UI_FORBIDDEN, &out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return copyAndFree(&out), nil
}

// Get implements Ring.
func (dataProtection) Get(_ context.Context, name string, beside []byte) ([]byte, error) {
	var out windows.DataBlob
	err := windows.CryptUnprotectData(blob(beside), nil, entropy(name), 0, nil, windows.CRYPTPROTECT_UI_FORBIDDEN, &out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return copyAndFree(&out), nil
}

// Delete implements Ring. There is nothing to remove.
func (dataProtection) Delete(context.Context, string) error { return nil }
