package sessionbus

import (
	"context"
	"os"
	"path/filepath"

	"github.com/godbus/dbus/v5"
)

// Dial connects to the bus of the person's session. It never starts one. The connection outlives ctx.
func Dial(ctx context.Context) (*dbus.Conn, error) {
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		file := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
		if _, err := os.Stat(file); err != nil || !filepath.IsAbs(file) {
			return nil, ErrNone
		}
		address = "unix:path=" + file
	}
	conn, err := dbus.Dial(address, dbus.WithContext(context.WithoutCancel(ctx)))
	if err != nil {
		return nil, err
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}
