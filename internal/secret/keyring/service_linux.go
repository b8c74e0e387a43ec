package keyring

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/godbus/dbus/v5"

	"cove/internal/sessionbus"
)

// Preferred reports whether a new key goes into the keyring by default, where there is one.
const Preferred = true

// System is the keyring of this system: the Secret Service of the person's desktop session.
var System Ring = secretService{}

type secretService struct{}

const (
	busName   = "org.freedesktop.secrets"
	busPath   = dbus.ObjectPath("/org/freedesktop/secrets")
	iface     = "org.freedesktop.Secret."
	noObject  = dbus.ObjectPath("/")
	callLimit = 5 * time.Second
)

// envelope is how the service passes a value.
type envelope struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

// session is a conversation with the service.
type session struct {
	conn    *dbus.Conn
	id      dbus.ObjectPath
	service dbus.BusObject
}

// open connects to the service. The value is passed as it is: nobody but the person's own programs is on the bus.
func open(ctx context.Context) (*session, error) {
	conn, err := sessionbus.Dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	s := &session{conn: conn, service: conn.Object(busName, busPath)}
	var none dbus.Variant
	err = s.call(ctx, s.service, "Service.OpenSession", "plain", dbus.MakeVariant("")).Store(&none, &s.id)
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return s, nil
}

func (s *session) close() { _ = s.conn.Close() }

func (s *session) call(ctx context.Context, on dbus.BusObject, method string, args ...any) *dbus.Call {
	return on.CallWithContext(ctx, iface+method, 0, args...)
}

// collection returns the person's own keyring, which must be open and stay when they log out.
func (s *session) collection(ctx context.Context) (dbus.BusObject, error) {
	var at dbus.ObjectPath
	if err := s.call(ctx, s.service, "Service.ReadAlias", "default").Store(&at); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	if at == noObject || path.Base(string(at)) == "session" {
		return nil, ErrAway
	}
	c := s.conn.Object(busName, at)
	var locked bool
	err := c.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, iface+"Collection", "Locked").Store(&locked)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	if locked {
		return nil, ErrLocked
	}
	return c, nil
}

func attributes(name string) map[string]string {
	return map[string]string{"application": service, "name": name}
}

// Set implements Ring.
func (secretService) Set(ctx context.Context, name string, value []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	c, err := s.collection(ctx)
	if err != nil {
		return nil, err
	}
	properties := map[string]dbus.Variant{
		iface + "Item.Label":      dbus.MakeVariant(label),
		iface + "Item.Attributes": dbus.MakeVariant(attributes(name)),
	}
	text := []byte(hex.EncodeToString(value)) // people see it in programs for keyrings
	var item, prompt dbus.ObjectPath
	err = s.call(ctx, c, "Collection.CreateItem", properties,
		envelope{Session: s.id, Value: text, ContentType: "text/plain"}, true).Store(&item, &prompt)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	if prompt != noObject {
		s.call(ctx, s.conn.Object(busName, prompt), "Prompt.Dismiss")
		return nil, ErrLocked
	}
	return nil, nil
}

// find returns the entry with a name.
func (s *session) find(ctx context.Context, name string) (dbus.BusObject, error) {
	var unlocked, locked []dbus.ObjectPath
	err := s.call(ctx, s.service, "Service.SearchItems", attributes(name)).Store(&unlocked, &locked)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	switch {
	case len(unlocked) > 0:
		return s.conn.Object(busName, unlocked[0]), nil
	case len(locked) > 0:
		return nil, ErrLocked
	}
	// Some services do not list what is in a locked keyring, and some have no default one until it is unlocked.
	if _, err := s.collection(ctx); err != nil {
		return nil, err
	}
	return nil, ErrAbsent
}

// Get implements Ring.
func (secretService) Get(ctx context.Context, name string, _ []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	item, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var got envelope
	if err := s.call(ctx, item, "Item.GetSecret", s.id).Store(&got); err != nil {
		if failed := (dbus.Error{}); errors.As(err, &failed) && failed.Name == iface+"Error.IsLocked" {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	value, err := hex.DecodeString(string(got.Value))
	if err != nil {
		return nil, ErrAbsent // the error would quote it
	}
	return value, nil
}

// Delete implements Ring.
func (secretService) Delete(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	s, err := open(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	item, err := s.find(ctx, name)
	if err != nil {
		return err
	}
	var prompt dbus.ObjectPath
	if err := s.call(ctx, item, "Item.Delete").Store(&prompt); err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	if prompt != noObject {
		s.call(ctx, s.conn.Object(busName, prompt), "Prompt.Dismiss")
		return ErrLocked
	}
	return nil
}
