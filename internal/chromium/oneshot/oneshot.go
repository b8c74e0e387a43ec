// Package oneshot runs a browser for one task of Cove's own: without a window, on a pipe that nobody else has.
package oneshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
)

// Browser is a browser that runs until Close. Commands fail with cdp.ErrClosed once it is gone.
type Browser struct {
	*cdp.Conn
	process *chromium.Process
	read    chan struct{} // closed when everything that it said was received
	exited  chan struct{} // closed when it is gone
	code    int           // valid after exited is closed
}

// Start launches a browser. Its output goes to output.
func Start(path string, o chromium.Options, output *os.File) (*Browser, error) {
	o.Pipe, o.Headless = true, true
	p, err := chromium.Launch(path, o, output)
	if err != nil {
		return nil, err
	}
	pipe := cdp.NewPipe(p.Out, p.In)
	b := &Browser{
		Conn:    cdp.NewConn(func(raw []byte) error { return pipe.Write(append(raw, 0)) }, nil),
		process: p, read: make(chan struct{}), exited: make(chan struct{}),
	}
	go func() {
		defer close(b.read)
		defer b.Conn.Close()
		for {
			raw, err := pipe.Read()
			if err != nil {
				return
			}
			b.Receive(raw)
		}
	}()
	go func() { defer close(b.exited); b.code = p.Wait() }()
	return b, nil
}

// CallOn does the same as Call. Package jar calls a browser by this name.
func (b *Browser) CallOn(ctx context.Context, session, method string, params, result any) error {
	return b.Call(ctx, session, method, params, result)
}

// Close closes the browser and returns when it is gone. A browser that does not do what it is asked within limit is
// forced, first by the end of its pipe and then by a kill. An error says that it may not have saved its data.
func (b *Browser) Close(limit time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_ = b.Call(ctx, "", "Browser.close", nil, nil)
	for _, force := range []func(){
		func() { _ = b.process.In.Close() },
		func() { _ = b.process.ID.Kill() },
	} {
		select {
		case <-b.exited:
		case <-time.After(limit):
			err = errors.New("the browser did not close in time")
			force()
		}
	}
	<-b.exited
	_ = b.process.In.Close()
	_ = b.process.Out.Close() // a process that it left behind may still have the other end
	<-b.read
	if err == nil && b.code != 0 {
		err = fmt.Errorf("the browser ended with code %d", b.code)
	}
	return err
}
