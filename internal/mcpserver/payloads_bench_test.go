package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/payload"
	"cove/internal/page"
	"cove/internal/page/capture"
)

// BenchmarkLargeResult measures a call whose result is large, with payloads and without them.
func BenchmarkLargeResult(b *testing.B) {
	large := strings.Repeat("button \"Save\" uid=a12\n", 10_000)
	for _, kind := range []string{"image", "text"} {
		tool := Define(Tool{Name: "large"}, func(_ context.Context, c *Call, _ struct{}) error {
			if kind == "image" {
				c.Image(capture.Image{Data: []byte(large), MIME: "image/png"})
			} else {
				c.Show(large)
			}
			return nil
		})
		b.Run(kind+"/detached", func(b *testing.B) { benchmarkCalls(b, tool, true) })
		b.Run(kind+"/encoded", func(b *testing.B) { benchmarkCalls(b, tool, false) })
	}
}

func benchmarkCalls(b *testing.B, tool Tool, detached bool) {
	browser := func(context.Context) (*page.Browser, error) { return page.New(nil), nil }
	s := NewServer(Config{Tools: []Tool{tool}, Browser: browser})
	ours, theirs := net.Pipe()
	c := s.makeClient(Hello{})
	writer := io.WriteCloser(theirs)
	if detached {
		c.payloads = payload.NewStream(theirs)
		writer = c.payloads
	}
	session, err := s.protocolServer(c, nil).Connect(b.Context(), &mcp.IOTransport{Reader: theirs, Writer: writer}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = ours.Close(); _ = session.Wait() }()

	in := bufio.NewReaderSize(ours, 1<<20)
	send := func(id int, method, params string) {
		fmt.Fprintf(ours, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		if _, err := in.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	send(0, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}`)
	fmt.Fprintln(ours, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	b.ReportAllocs()
	for n := 1; b.Loop(); n++ {
		send(n, "tools/call", `{"name":"large","arguments":{}}`)
	}
}
