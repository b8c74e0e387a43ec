package external

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/jar"
	"cove/internal/paths"
)

// Reader reads the data of one profile of a person's browser.
//
// A browser shows several of its profiles in one process, and what it does for a command that names none depends on
// which window was active last. So a Reader has a hidden tab of its own, asks that tab which profile it belongs to, and
// reads everything there.
type Reader struct {
	conn *Conn
	mux  *mux.Mux
	tab  *jar.Page
	dir  string // the profile's folder
}

// otherLimit is how long AwaitFront waits for the person to bring a window of the right profile to the front.
const otherLimit = 2 * time.Minute

// NewReader returns a reader of the profile whose folder is dir. The browser opens tabs only for the profile whose
// window is in front. While that is another profile, NewReader calls other once and waits for the person. It takes no
// focus. The Reader owns the connection.
func NewReader(ctx context.Context, conn *Conn, dir string, log *slog.Logger, other func()) (*Reader, error) {
	r := &Reader{conn: conn, dir: dir}
	r.mux = mux.New(conn, log, func(answer func()) { answer() })
	go func() { _ = r.mux.Run() }()
	if err := AwaitFront(ctx, dir, r.open, other); err != nil {
		r.Close()
		return nil, Lost(err)
	}
	return r, nil
}

// AwaitFront calls open until a window of the profile whose folder is dir is in front. open returns ErrOther while
// another one is. After the first ErrOther, AwaitFront calls other.
func AwaitFront(ctx context.Context, dir string, open func(context.Context) error, other func()) error {
	ctx, cancel := context.WithTimeout(ctx, otherLimit)
	defer cancel()
	told := false
	for {
		err := open(ctx)
		if told && ctx.Err() != nil {
			err = ErrOther
		}
		if !errors.Is(err, ErrOther) {
			return err
		}
		if !told {
			other()
			told = true
		}
		select {
		case <-ctx.Done():
			return errOtherProfile(dir, ctx.Err())
		case <-time.After(lookEvery):
		}
	}
}

// ErrOther says that a window of another profile is in front.
var ErrOther = errors.New("another profile is in front")

// open opens the hidden tab, and checks that it belongs to the profile.
func (r *Reader) open(ctx context.Context) error {
	var contexts struct {
		Default string `json:"defaultBrowserContextId"`
	}
	if err := r.mux.Call(ctx, "Target.getBrowserContexts", nil, &contexts); err != nil {
		return err
	}
	tab, err := jar.OpenPage(ctx, r.mux, contexts.Default)
	if refused := new(cdp.Error); errors.As(err, &refused) {
		return ErrOther // the focus moved in between
	}
	if err != nil {
		return err
	}
	path, err := tab.ProfilePath(ctx)
	if err == nil && !paths.Same(path, r.dir) {
		err = ErrOther
	}
	if err != nil {
		tab.Close()
		return err
	}
	r.tab = tab
	return nil
}

// Cookies returns every cookie of the profile, sorted, and how many have a partition without a name.
func (r *Reader) Cookies(ctx context.Context) ([]cookie.Cookie, int, error) {
	cookies, opaque, err := r.tab.Cookies(ctx)
	return cookies, opaque, Lost(err)
}

// Storage returns the local storage of origins, without a request to any of them, and the origins that cannot be read.
func (r *Reader) Storage(ctx context.Context, origins []string) (found []cookie.Origin, unread []string, err error) {
	found, unread, err = r.tab.Storage(ctx, origins)
	return found, unread, Lost(err)
}

// Origins returns the origins that may have local storage.
func (r *Reader) Origins() []string { return slices.Clip(jar.StoredOrigins(r.dir)) }

// Close closes the tab and the connection.
func (r *Reader) Close() {
	if r.tab != nil {
		r.tab.Close()
	}
	r.conn.Close()
}

// Lost turns the end of the connection into a fault that says what to do: the browser has quit, or the person has
// unticked its box. Other errors stay as they are.
func Lost(err error) error {
	if errors.Is(err, cdp.ErrClosed) {
		return errLost(err)
	}
	return err
}

func errOtherProfile(dir string, cause error) error {
	return fault.New(fault.CodeImportOtherProfile,
		fmt.Sprintf("A window of another profile of that browser is in front, not of %q.", filepath.Base(dir)),
		"Click into a window of that profile, and try again.").Because(cause)
}
