package keyringtest

import (
	"bufio"
	"bytes"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"cove/internal/sessionbus"
)

// Service is a Secret Service with one keyring and at most one entry.
type Service struct {
	properties *prop.Properties

	mu sync.Mutex
	State
}

// State is what a test can change and read.
type State struct {
	Alias      dbus.ObjectPath   // the default keyring
	Lists      bool              // it lists what is locked
	Prompts    bool              // it wants to prompt the person
	Attributes map[string]string // of the entry
	Value      []byte
	Dismissed  int // how many questions were taken back
}

const (
	iface    = "org.freedesktop.Secret."
	label    = "Cove: key of the secrets"
	busName  = "org.freedesktop.secrets"
	busPath  = dbus.ObjectPath("/org/freedesktop/secrets")
	noObject = dbus.ObjectPath("/")

	collectionPath = dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	itemPath       = collectionPath + "/1"
	promptPath     = dbus.ObjectPath("/org/freedesktop/secrets/prompt/1")
	sessionPath    = dbus.ObjectPath("/org/freedesktop/secrets/session/1")
)

// envelope is how the service passes a value.
type envelope struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

// OpenSession is the service's.
func (f *Service) OpenSession(algorithm string, _ dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	if algorithm != "plain" {
		return dbus.MakeVariant(""), noObject, dbus.NewError("org.freedesktop.DBus.Error.NotSupported", nil)
	}
	return dbus.MakeVariant(""), sessionPath, nil
}

// ReadAlias is the service's.
func (f *Service) ReadAlias(name string) (dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name != "default" {
		return noObject, nil
	}
	return f.Alias, nil
}

// SearchItems is the service's.
func (f *Service) SearchItems(wanted map[string]string) (unlocked, locked []dbus.ObjectPath, err *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Attributes == nil || !maps.Equal(wanted, f.Attributes) {
		return nil, nil, nil
	}
	switch is := f.locked(); {
	case !is:
		return []dbus.ObjectPath{itemPath}, nil, nil
	case f.Lists:
		return nil, []dbus.ObjectPath{itemPath}, nil
	}
	return nil, nil, nil
}

// CreateItem is the keyring's.
func (f *Service) CreateItem(properties map[string]dbus.Variant, value envelope, replace bool) (dbus.ObjectPath,
	dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Prompts {
		return noObject, promptPath, nil
	}
	if value.Session != sessionPath || !replace || properties[iface+"Item.Label"].Value() != label {
		return noObject, noObject, dbus.NewError("org.freedesktop.DBus.Error.InvalidArgs", nil)
	}
	f.Attributes, _ = properties[iface+"Item.Attributes"].Value().(map[string]string)
	f.Value = bytes.Clone(value.Value)
	return itemPath, noObject, nil
}

// GetSecret is the entry's.
func (f *Service) GetSecret(session dbus.ObjectPath) (envelope, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.locked() {
		return envelope{}, dbus.NewError(iface+"Error.IsLocked", nil)
	}
	return envelope{Session: session, Value: f.Value, ContentType: "text/plain"}, nil
}

// Delete is the entry's.
func (f *Service) Delete() (dbus.ObjectPath, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Prompts {
		return promptPath, nil
	}
	f.Attributes, f.Value = nil, nil
	return noObject, nil
}

// Dismiss is that of a question.
func (f *Service) Dismiss() *dbus.Error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Dismissed++
	return nil
}

func (f *Service) locked() bool { return f.properties.GetMust(iface+"Collection", "Locked").(bool) }

// SetLocked locks the keyring, or unlocks it.
func (f *Service) SetLocked(on bool) { f.properties.SetMust(iface+"Collection", "Locked", on) }

// With changes or reads the state between two calls.
func (f *Service) With(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// StartBus runs a bus of its own, which is that of the test until it ends.
func StartBus(t *testing.T) {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	cmd := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--nopidfile", "--print-address",
		"--address=unix:path="+filepath.Join(t.TempDir(), "bus"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}

// Start runs a bus with a Secret Service on it.
func Start(t *testing.T) *Service {
	t.Helper()
	StartBus(t)
	conn, err := sessionbus.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	f := &Service{State: State{Alias: collectionPath, Lists: true}}
	f.properties, err = prop.Export(conn, collectionPath, prop.Map{iface + "Collection": {"Locked": {Value: false}}})
	if err != nil {
		t.Fatal(err)
	}
	for path, name := range map[dbus.ObjectPath]string{
		busPath: "Service", collectionPath: "Collection", itemPath: "Item", promptPath: "Prompt",
	} {
		if err := conn.Export(f, path, iface+name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.RequestName(busName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return f
}
