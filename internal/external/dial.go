package external

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/process"
)

// Step is what a connection waits for.
type Step string

// The steps, in their order.
const (
	// StepNoBrowser: the browser does not run.
	StepNoBrowser Step = "no-browser"
	// StepSwitchOff: the browser runs, and lets no program ask.
	StepSwitchOff Step = "switch-off"
	// StepWaitAllow: the browser asks the person.
	StepWaitAllow Step = "wait-allow"
)

// lookEvery is how often Dial looks whether the person has done their part.
const lookEvery = 300 * time.Millisecond

// Dial waits until the browser of a data folder runs and lets programs ask, and connects to it. The browser then asks
// the person to allow the connection. Dial asks only once: every attempt opens a dialog of its own, which stays open
// after Dial has given up. Dial calls at with each step that it waits for.
func Dial(ctx context.Context, dataDir string, at func(Step)) (*Conn, error) {
	if err := ours(dataDir); err != nil {
		return nil, err
	}
	conn, owner, err := await(ctx, dataDir, at)
	if err != nil {
		return nil, err
	}
	at(StepWaitAllow)
	once := &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil },
	}}
	// The browser does not check the rest of the path that it writes down.
	address := "ws://" + conn.RemoteAddr().String() + "/devtools/browser"
	//nolint:bodyclose // Dial has closed it
	ws, r, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: once})
	if err != nil {
		_ = conn.Close()
	}
	switch {
	case err == nil:
	case r != nil && r.StatusCode == http.StatusForbidden:
		return nil, fault.New(fault.CodeAdoptRefused,
			"The browser refused the connection, because you pressed Cancel there.",
			"Try again, and press Allow in the browser.").Because(err)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	default:
		return nil, errLost(err)
	}
	ws.SetReadLimit(-1)
	return &Conn{ws: ws, Owner: owner}, nil
}

// await waits until the browser runs and lets programs ask.
func await(ctx context.Context, dataDir string, at func(Step)) (net.Conn, process.ID, error) {
	var last Step
	for {
		step := StepNoBrowser
		if owner, open := chromium.Holder(dataDir); open {
			conn, err := knock(ctx, dataDir, owner)
			if err == nil || !errors.Is(err, errSwitchOff) {
				return conn, owner, err
			}
			step = StepSwitchOff
		}
		if step != last {
			at(step)
			last = step
		}
		select {
		case <-ctx.Done():
			return nil, process.ID{}, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// errSwitchOff says that nothing listens on the port that the browser used last.
var errSwitchOff = errors.New("the browser lets no program ask")

// knock connects to the port of a browser, and asks for nothing yet. The file that names the port may be stale, because
// the person may have switched the port off. So knock also checks that the process which has accepted the connection is
// that browser.
func knock(ctx context.Context, dataDir string, owner process.ID) (net.Conn, error) {
	raw, err := os.ReadFile(filepath.Join(dataDir, "DevToolsActivePort"))
	if err != nil {
		return nil, errSwitchOff
	}
	port, _, _ := strings.Cut(string(raw), "\n")
	if n, err := strconv.Atoi(port); err != nil || n <= 0 || n > 65535 {
		return nil, errSwitchOff
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", "127.0.0.1:"+port)
	if err != nil {
		return nil, errSwitchOff
	}
	peer := accepted(ctx, conn)
	switch {
	case peer.ID == owner:
		return conn, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = errStranger(port, peer)
	}
	_ = conn.Close()
	return nil, err
}

// acceptLimit is how long a busy program may take to accept a connection.
const acceptLimit = 10 * time.Second

// accepted returns the process that has accepted a connection; none if the process belongs to another user. Until a
// program accepts a connection, the connection belongs to no process.
func accepted(ctx context.Context, conn net.Conn) process.Info {
	ctx, cancel := context.WithTimeout(ctx, acceptLimit)
	defer cancel()
	for {
		peer, found := process.Peer(addressOf(conn.RemoteAddr()), addressOf(conn.LocalAddr()))
		if found {
			return peer
		}
		select {
		case <-ctx.Done():
			return peer
		case <-time.After(lookEvery):
		}
	}
}

func addressOf(a net.Addr) netip.AddrPort {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	return t.AddrPort()
}

func errStranger(port string, who process.Info) error {
	const hint = "Untick and tick the box in chrome://inspect/#remote-debugging again, and try again."
	if who.PID == 0 {
		return fault.New(fault.CodeAdoptStranger,
			"Port "+port+" belongs to a program of another user, or that browser does not answer.", hint)
	}
	return fault.New(fault.CodeAdoptStranger,
		"Port "+port+" belongs to another program ("+who.Name()+"), not to that browser.", hint)
}

// Conn is the connection to a person's browser.
type Conn struct {
	ws *websocket.Conn
	// Owner is the browser's process.
	Owner process.ID
}

// Read and Write make a Conn a cdp.Transport.
func (c *Conn) Read() ([]byte, error) {
	_, raw, err := c.ws.Read(context.Background())
	return raw, err
}

// Write sends one message, which a zero byte ends. The browser gets it without that byte.
func (c *Conn) Write(terminated []byte) error {
	return c.ws.Write(context.Background(), websocket.MessageText, terminated[:len(terminated)-1])
}

// Close ends the connection. The browser stays as it is.
func (c *Conn) Close() { _ = c.ws.Close(websocket.StatusNormalClosure, "") }

func errNoBrowser(dataDir string, cause error) error {
	return fault.New(fault.CodeAdoptNoBrowser, "There is no browser with the data folder "+dataDir+".",
		"Name the folder that chrome://version calls the profile path, or the one above it, with --from.").
		Because(cause)
}

func errLost(cause error) error {
	return fault.New(fault.CodeAdoptLost, "The connection to the browser ended.",
		"Look whether the browser is open and the box in chrome://inspect/#remote-debugging is ticked, and try again.").
		Because(cause)
}
