// Package sessionbus connects to the D-Bus of the person's desktop session on Linux. Other systems have none.
package sessionbus

import "errors"

// ErrNone says that there is no desktop session.
var ErrNone = errors.New("there is no desktop session")
