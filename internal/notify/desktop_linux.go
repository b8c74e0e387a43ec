package notify

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"

	"cove/internal/sessionbus"
)

const (
	busName   = "org.freedesktop.Notifications"
	busPath   = dbus.ObjectPath("/org/freedesktop/Notifications")
	maxBusMsg = 16
	callLimit = 5 * time.Second
)

// Desktop shows a notification until the person presses one of its buttons, closes it, or ctx ends. It returns the key
// of the button; "" for none.
func Desktop(ctx context.Context, n Notification) (key string, err error) {
	conn, err := sessionbus.Dial(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()

	signals := make(chan *dbus.Signal, maxBusMsg)
	conn.Signal(signals)
	err = conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(busName), dbus.WithMatchObjectPath(busPath),
		dbus.WithMatchInterface(busName))
	if err != nil {
		return "", err
	}
	actions := []string{}
	for _, a := range n.Actions {
		actions = append(actions, a.Key, a.Label)
	}
	bus := conn.Object(busName, busPath)
	var id uint32
	hints := map[string]dbus.Variant{"category": dbus.MakeVariant("im.received"), "urgency": dbus.MakeVariant(byte(1))}
	calling, cancel := callContext(ctx)
	defer cancel()
	err = bus.CallWithContext(calling, busName+".Notify", 0, "Cove", uint32(0), "", n.Title, n.Text, actions, hints,
		int32(-1)).Store(&id)
	if err != nil {
		return "", err
	}
	return await(ctx, bus, id, signals)
}

// callContext bounds a call of the desktop. It does not end with ctx: a notification that is on its way must be taken
// back.
func callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), callLimit)
}

// await waits for the end of a notification.
func await(ctx context.Context, bus dbus.BusObject, id uint32, signals <-chan *dbus.Signal) (key string, err error) {
	for {
		select {
		case s, ok := <-signals:
			if !ok {
				return "", sessionbus.ErrNone
			}
			if len(s.Body) < 2 || s.Body[0] != id {
				continue
			}
			if s.Name == busName+".ActionInvoked" {
				key, _ = s.Body[1].(string)
				return key, nil
			}
			if s.Name == busName+".NotificationClosed" {
				return "", nil
			}
		case <-ctx.Done():
			calling, cancel := callContext(ctx)
			defer cancel()
			_ = bus.CallWithContext(calling, busName+".CloseNotification", 0, id).Err
			return "", context.Cause(ctx)
		}
	}
}
