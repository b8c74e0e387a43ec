package keyring

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"os/exec"
	"strings"
	"time"
)

// Preferred reports whether a new key goes into the keyring by default. It does not until somebody has tried that on a
// Mac.
const Preferred = false

// System is the keyring of this system: the login Keychain, through the program security.
var System Ring = keychain{}

type keychain struct{}

const (
	program   = "/usr/bin/security"
	callLimit = 10 * time.Second

	// What security ends with: the low bytes of errSecItemNotFound, errSecInteractionNotAllowed and errSecAuthFailed.
	notFound, notAllowed, authFailed = 44, 36, 51
)

// run runs security. With input it reads its commands from there: every program can read arguments.
func run(ctx context.Context, input string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin = strings.NewReader(input)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	if exited := (*exec.ExitError)(nil); errors.As(err, &exited) {
		switch exited.ExitCode() {
		case notFound:
			return "", ErrAbsent
		case notAllowed, authFailed:
			return "", ErrLocked
		}
	}
	return "", ErrAway
}

// Set implements Ring.
func (keychain) Set(ctx context.Context, name string, value []byte) ([]byte, error) {
	// name is made by us and has only hexadecimal digits, as the value then has.
	line := "add-generic-password -U -a " + name + " -s " + service + " -l \"" + label + "\" -w " +
		hex.EncodeToString(value) + "\n"
	_, err := run(ctx, line, "-i")
	return nil, err
}

// Get implements Ring.
func (keychain) Get(ctx context.Context, name string, _ []byte) ([]byte, error) {
	text, err := run(ctx, "", "find-generic-password", "-a", name, "-s", service, "-w")
	if err != nil {
		return nil, err
	}
	value, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil, ErrAbsent // the error would quote it
	}
	return value, nil
}

// Delete implements Ring.
func (keychain) Delete(ctx context.Context, name string) error {
	_, err := run(ctx, "", "delete-generic-password", "-a", name, "-s", service)
	return err
}
