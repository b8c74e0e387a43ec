package bridge

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/session"
)

const patience = 30 * time.Second

// fakeKeeper is the socket of a keeper whose messages the test writes.
type fakeKeeper struct {
	t      *testing.T
	dir    paths.ProfileDir
	socket net.Listener
	conns  chan *fakeConn
}

// fakeConn is the connection of one bridge.
type fakeConn struct {
	net.Conn
	r     *bufio.Reader
	hello http.Header
	t     *testing.T
}

func newFakeKeeper(t *testing.T, dir paths.ProfileDir) *fakeKeeper {
	t.Helper()
	name, err := dir.Socket()
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(name)
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", name)
	if err != nil {
		t.Fatal(err)
	}
	k := &fakeKeeper{t: t, dir: dir, socket: l, conns: make(chan *fakeConn, 10)}
	r := keeperclient.Record{
		ID: process.Self(), Protocol: keeperclient.Protocol, Socket: name, Token: "secret",
		Mode: session.Automation, RunID: rand.Text(),
	}
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			in := bufio.NewReader(conn)
			req, err := http.ReadRequest(in)
			if err != nil || req.Header.Get("Authorization") != "Bearer secret" {
				_ = conn.Close()
				continue
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"+
				"Upgrade: "+keeperclient.Upgrade+"\r\n\r\n")
			k.conns <- &fakeConn{conn, in, req.Header, t}
		}
	}()
	t.Cleanup(k.die)
	return k
}

// die takes socket and record away, as after a profile's end.
func (k *fakeKeeper) die() {
	_ = k.socket.Close()
	_ = os.Remove(k.dir.Keeper())
}

func (k *fakeKeeper) accept() *fakeConn {
	k.t.Helper()
	select {
	case l := <-k.conns:
		k.t.Cleanup(func() { _ = l.Close() }) // a connection that nobody holds any more is closed by the collector
		return l
	case <-time.After(patience):
		k.t.Fatal("no bridge came")
		return nil
	}
}

func (l *fakeConn) says(line string) {
	l.t.Helper()
	if _, err := io.WriteString(l, line+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

func (l *fakeConn) hears(want string) {
	l.t.Helper()
	_ = l.SetReadDeadline(time.Now().Add(patience))
	got, err := l.r.ReadString('\n')
	if err != nil || strings.TrimSpace(got) != want {
		l.t.Fatalf("the keeper heard %q (%v), not %q", got, err, want)
	}
}

// bench is a bridge with its client's two ends.
type bench struct {
	*Bridge
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	ended chan error
	asked atomic.Int32 // how often the app was needed
}

func newBench(t *testing.T, dir paths.ProfileDir) *bench {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	b := &bench{t: t, in: inW, out: bufio.NewReader(outR), ended: make(chan error, 1)}
	app := func(context.Context) (*api.Client, error) {
		b.asked.Add(1)
		return nil, fault.New(fault.CodeNoApp, "Cove is not running.", "Start it with: cove up")
	}
	b.Bridge = &Bridge{ID: 1, Folder: dir, Dir: "/work", Tools: "pdf", In: inR, Out: outW, App: app}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { b.ended <- b.Run(ctx); _ = outW.Close() }()
	t.Cleanup(func() { cancel(); _ = inW.Close(); _ = outR.Close() })
	return b
}

func (b *bench) says(line string) {
	b.t.Helper()
	if _, err := io.WriteString(b.in, line+"\n"); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) hears(words ...string) {
	b.t.Helper()
	got := make(chan string, 1)
	go func() { line, _ := b.out.ReadString('\n'); got <- line }()
	select {
	case line := <-got:
		for _, w := range words {
			if !strings.Contains(line, w) {
				b.t.Fatalf("the client heard %q, without %q", line, w)
			}
		}
	case <-time.After(patience):
		b.t.Fatalf("the client heard nothing, not %q", words)
	}
}

func profileDir(t *testing.T) paths.ProfileDir {
	t.Helper()
	dir, err := os.MkdirTemp("", "cv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return paths.ProfileDir(dir)
}

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func TestMessagesPassAndTheHandshakeIsReplayedAfterACrash(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	l := k.accept()
	if l.hello.Get("Cove-Dir") != "/work" || l.hello.Get("Cove-Tools") != "pdf" ||
		l.hello.Get("Cove-Last-Page") != "0" {
		t.Errorf("the bridge says of its client: %v", l.hello)
	}
	b.says(initialize)
	l.hears(initialize)
	l.says(`{"jsonrpc":"2.0","id":1,"result":{"first":true}}`)
	b.hears(`"first":true`)
	b.says(initialized)
	l.hears(initialized)
	// This one is for the bridge alone.
	l.says(`{"jsonrpc":"2.0","method":"notifications/cove/pages","params":{"last":5,"documents":9}}`)
	b.says(`{"jsonrpc":"2.0","id":"a","method":"tools/call"}`)
	l.hears(`{"jsonrpc":"2.0","id":"a","method":"tools/call"}`)
	b.says(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	l.hears(`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	l.says(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	b.hears(`"id":7`)
	k.die() // a keeper that is killed says nothing
	_ = l.Close()
	b.hears(`"id":"a"`, `"isError":true`, "crashed during this call")

	k = newFakeKeeper(t, dir)
	b.says(`{"jsonrpc":"2.0","id":8,"method":"tools/call"}`)
	l = k.accept()
	if !strings.Contains(l.hello.Get("Cove-Note"), "crashed") || l.hello.Get("Cove-Last-Page") != "5" ||
		l.hello.Get("Cove-Documents") != "9" {
		t.Errorf("the bridge says after a crash: %v", l.hello)
	}
	l.hears(initialize)
	l.hears(initialized)
	l.hears(`{"jsonrpc":"2.0","id":8,"method":"tools/call"}`)
	l.says(`{"jsonrpc":"2.0","id":1,"result":{"second":true}}`) // not for the client
	l.says(`{"jsonrpc":"2.0","id":8,"result":{"content":[]}}`)
	b.hears(`"id":8`)
	if b.asked.Load() != 0 {
		t.Error("the app was asked though a keeper was there")
	}
}

func TestALostConnectionIsNoCrash(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	b.says(initialize)
	l := k.accept()
	l.hears(initialize)
	_ = l.Close() // the keeper lives
	b.hears(`"id":1`, `"error"`)
	b.says(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	l = k.accept()
	if !strings.Contains(l.hello.Get("Cove-Note"), "was lost and is there again") {
		t.Errorf("the bridge says after a lost connection: %v", l.hello)
	}
	l.hears(initialize)
	l.hears(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	_ = k.socket.Close() // it dies, and its record stays for a while
	_ = l.Close()
	b.hears(`"id":2`, "crashed")
	b.says(`{"jsonrpc":"2.0","id":3,"method":"tools/call"}`)
	b.hears(`"id":3`, "cove up") // nothing but the app can open it again
	k = newFakeKeeper(t, dir)
	b.says(`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`)
	if l = k.accept(); !strings.Contains(l.hello.Get("Cove-Note"), "crashed") {
		t.Errorf("the bridge says after a crash: %v", l.hello)
	}
}

// A call that comes when the keeper has died, and before the bridge has heard it, is told so as well.
func TestACallIntoABrokenConnectionIsToldOfTheCrash(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	b.says(initialize)
	l := k.accept()
	l.hears(initialize)
	l.says(`{"jsonrpc":"2.0","id":1,"result":{}}`) // the client does not read it yet, so the bridge hears nothing more
	k.die()
	_ = l.Close()
	b.says(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	for range 2 { // the bridge takes the second when it has done with the call
		b.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`)
	}
	b.hears(`"id":1`, `"result"`)
	b.hears(`"id":2`, `"isError":true`, "crashed")
}

func TestAfterAPersonsStopTheBridgeAsksNobody(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	l := k.accept()
	b.says(initialize)
	l.hears(initialize)
	k.die()
	l.says(`{"jsonrpc":"2.0","method":"notifications/cove/closed","params":{"end":"stopped"}}`)
	_ = l.Close()
	b.hears(`"id":1`, `"error"`, "closed by a person") // the request that waited
	b.says(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	b.hears(`"id":2`, `"isError":true`, "closed by a person", "cove start 1 --automation")
	b.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`) // nobody answers this
	b.says(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	b.hears(`"id":3`, `"result":{}`)
	if b.asked.Load() != 0 {
		t.Error("the app was asked to open the profile against a person")
	}
	k = newFakeKeeper(t, dir)
	b.says(`{"jsonrpc":"2.0","id":4,"method":"tools/call"}`)
	l = k.accept()
	if !strings.Contains(l.hello.Get("Cove-Note"), "by somebody") {
		t.Errorf("the note: %v", l.hello)
	}
	l.says(`{"jsonrpc":"2.0","id":4,"result":{}}`)
	b.hears(`"id":4`)
	_ = b.in.Close()
	if err := <-b.ended; err != nil {
		t.Errorf("the client's end: %v", err)
	}
}

func TestTheBridgeEndsWhenThePersonDisconnectsItsClient(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	b.says(initialize)
	l := k.accept()
	l.hears(initialize)
	l.says(`{"jsonrpc":"2.0","method":"notifications/cove/disconnected"}`)
	l.says(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	b.hears(`"id":1`, `"result"`) // the answer that was under way
	_ = l.Close()                 // the keeper lives, and would let it in again
	select {
	case err := <-b.ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("the bridge goes on")
	}
	if b.asked.Load() != 0 || len(k.conns) != 0 {
		t.Error("the bridge came back")
	}
}

func TestWhatIsNoMessageIsAnsweredAndNotPassedOn(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	l := k.accept()
	b.says("\ufeff" + initialize) // a mark that some shells put before what they pipe
	l.hears(initialize)
	for line, code := range map[string]string{
		`this is not JSON`:                                 "-32700",
		`{"jsonrpc":"2.0","id":1,`:                         "-32700",
		`{"jsonrpc":"2.0","id":1,"method":"ping"}{"id":2}`: "-32700",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:       "-32600",
		`5`:                        "-32600",
		`{}`:                       "-32600",
		`{"id":1,"method":"ping"}`: "-32600",
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:    "-32600",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:   "-32600",
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`: "-32600",
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`: "-32600",
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:  "-32600",
		`{"jsonrpc":"2.0","id":1,"method":5}`:         "-32600",
		`{"jsonrpc":"2.0","id":1}`:                    "-32600",
	} {
		b.says(line)
		b.hears(code, `"error"`, `"jsonrpc":"2.0"`)
	}
	b.says(`{"id":"after","method":"ping","jsonrpc":"2.0"}`)
	l.hears(`{"id":"after","method":"ping","jsonrpc":"2.0"}`)
	l.says(`{"jsonrpc":"2.0","id":"after","result":{}}`)
	b.hears(`"after"`)
}

func TestBatchesPassInTheVersionThatHasThem(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	l := k.accept()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`,
		`[{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
	} {
		b.says(line)
		l.hears(line)
	}
	for _, line := range []string{`[]`, `[{"jsonrpc":"2.0","id":3,"method":"ping"},{"id":{}}]`} {
		b.says(line)
		b.hears("-32600")
	}
}

func TestARefusalIsTheAnswerToTheFirstRequest(t *testing.T) {
	b := newBench(t, profileDir(t))
	b.says(`not JSON`)
	b.says(`{"jsonrpc":"2.0","method":"notifications/x"}`)
	b.says(`{"jsonrpc":"2.0","id":"probe","method":"server/discover"}`)
	b.hears(`"id":"probe"`, `"error"`, "Cove is not running.", "cove up")
	if err := <-b.ended; fault.KindOf(err) != fault.Unavailable {
		t.Errorf("it ended with %v", err)
	}
}

func TestLongLinesAreReadWhole(t *testing.T) {
	long := fmt.Sprintf(`{"x":%q}`, strings.Repeat("y", 3<<20))
	r := bufio.NewReaderSize(strings.NewReader(long+"\n\nend"), 64<<10)
	if got, err := readMessage(r); err != nil || !bytes.Equal(got, []byte(long)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := readMessage(r); err != nil || len(got) != 0 {
		t.Errorf("an empty line: %q %v", got, err)
	}
	if got, err := readMessage(r); !errors.Is(err, io.EOF) || string(got) != "end" {
		t.Errorf("the last line: %q %v", got, err)
	}
}

func TestASentenceHoldsTheRemedy(t *testing.T) {
	var told api.Failure
	if err := json.Unmarshal([]byte(`{"errorObject":{"text":"No.","hint":"Do this."}}`), &told.Body); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{&told, fmt.Errorf("start: %w", &told),
		fault.New("E", "No.", "Do this.")} {
		if got := (&Bridge{}).sentence(err); got != "No. Do this." {
			t.Errorf("%T: %q", err, got)
		}
	}
}

// `echo … | cove mcp 1` ends its input at once and reads what comes then.
func TestTheEndOfTheInputDoesNotCutOffTheAnswers(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	b.says(initialize)
	b.says(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	l := k.accept()
	_ = b.in.Close()
	l.hears(initialize)
	l.hears(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	l.says(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	b.hears(`"id":1`, `"result"`)
	l.says(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	b.hears(`"id":2`, `"result"`)
	if err := <-b.ended; err != nil {
		t.Error(err)
	}
}

func TestACrashAfterTheEndOfTheInputIsTold(t *testing.T) {
	dir := profileDir(t)
	k := newFakeKeeper(t, dir)
	b := newBench(t, dir)
	b.says(initialize)
	l := k.accept()
	_ = b.in.Close()
	l.hears(initialize)
	k.die()
	_ = l.Close()
	b.hears(`"id":1`, `"error"`, "crashed")
	if err := <-b.ended; err != nil {
		t.Error(err)
	}
}
