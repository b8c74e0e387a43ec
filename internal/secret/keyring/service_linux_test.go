package keyring

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"cove/internal/secret/keyring/keyringtest"
)

func TestAKeyIsKeptInTheSecretService(t *testing.T) {
	f := keyringtest.Start(t)
	key := []byte("\x00\xff 32 bytes, or any other number")
	if _, err := System.Get(t.Context(), "a", nil); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
	if _, err := System.Set(t.Context(), "a", key); err != nil {
		t.Fatal(err)
	}
	if got, err := System.Get(t.Context(), "a", nil); err != nil || !bytes.Equal(got, key) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := System.Get(t.Context(), "b", nil); !errors.Is(err, ErrAbsent) {
		t.Errorf("that of another data folder: %v", err)
	}
	f.With(func() {
		if want := map[string]string{"application": "cove", "name": "a"}; !maps.Equal(f.Attributes, want) {
			t.Errorf("stored as %v", f.Attributes)
		}
		f.Value = []byte("what somebody has typed there")
	})
	if _, err := System.Get(t.Context(), "a", nil); !errors.Is(err, ErrAbsent) || strings.Contains(err.Error(), "typed") {
		t.Error(err)
	}
	if err := System.Delete(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if _, err := System.Get(t.Context(), "a", nil); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

func TestALockedKeyringIsToldFromOneThatHasNothing(t *testing.T) {
	f := keyringtest.Start(t)
	if _, err := System.Set(t.Context(), "a", []byte("key")); err != nil {
		t.Fatal(err)
	}
	f.SetLocked(true)
	for _, lists := range []bool{true, false} {
		f.With(func() { f.Lists = lists })
		if _, err := System.Get(t.Context(), "a", nil); !errors.Is(err, ErrLocked) {
			t.Error(err)
		}
		if _, err := System.Set(t.Context(), "b", []byte("key")); !errors.Is(err, ErrLocked) {
			t.Error(err)
		}
	}
	f.SetLocked(false)
	f.With(func() { f.Prompts = true })
	if _, err := System.Set(t.Context(), "b", []byte("key")); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	if err := System.Delete(t.Context(), "a"); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	f.With(func() {
		if f.Dismissed != 2 {
			t.Errorf("%d questions were taken back", f.Dismissed)
		}
	})
}

func TestAKeyIsNotPutWhereItWouldBeLost(t *testing.T) {
	f := keyringtest.Start(t)
	for _, alias := range []dbus.ObjectPath{noObject, "/org/freedesktop/secrets/collection/session"} {
		f.With(func() { f.Alias = alias })
		if _, err := System.Set(t.Context(), "a", []byte("key")); !errors.Is(err, ErrAway) {
			t.Errorf("%s: %v", alias, err)
		}
	}
	f.With(func() {
		if f.Value != nil {
			t.Error("it was put there")
		}
	})
}

func TestWithoutAServiceOrABusThereIsNoKeyring(t *testing.T) {
	keyringtest.StartBus(t) // nobody is on it
	for range 2 {
		if _, err := System.Set(t.Context(), "a", []byte("key")); !errors.Is(err, ErrAway) {
			t.Error(err)
		}
		if _, err := System.Get(t.Context(), "a", nil); !errors.Is(err, ErrAway) {
			t.Error(err)
		}
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
		t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	}
}
