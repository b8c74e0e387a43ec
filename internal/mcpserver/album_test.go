package mcpserver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type lines struct{ bytes.Buffer }

func (*lines) Close() error { return nil }

func TestAlbumPutsPicturesIntoTheirLines(t *testing.T) {
	var out lines
	a := newAlbum(&out)
	line := func(pictures ...[]byte) []byte {
		r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "before"}}}
		for _, p := range pictures {
			r.Content = append(r.Content, &mcp.ImageContent{Data: p, MIMEType: "image/png"})
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return append(raw, '\n')
	}
	pictures := [][]byte{[]byte("first"), bytes.Repeat([]byte{0, 255}, 1000), nil, []byte("last")}
	marks := make([][]byte, len(pictures))
	for i, p := range pictures {
		marks[i] = a.hold(p)
	}
	plain := line()
	for _, group := range [][]int{{1}, {}, {0, 2}, {3}} {
		out.Reset()
		sent, want := plain, plain
		if len(group) > 0 {
			var s, w [][]byte
			for _, i := range group {
				s, w = append(s, marks[i]), append(w, pictures[i])
			}
			sent, want = line(s...), line(w...)
		}
		n, err := a.Write(sent)
		if err != nil || n != len(sent) || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%v: %d %v, %s instead of %s", group, n, err, out.String(), want)
		}
	}
	if len(a.held) != 0 || len(a.marks) != 0 {
		t.Errorf("%d pictures are still held", len(a.held))
	}
	for range 3 * maxHeld {
		a.hold([]byte("of a call that was cancelled"))
	}
	kept := a.hold([]byte("kept"))
	out.Reset()
	if _, err := a.Write(line(kept)); err != nil || !strings.Contains(out.String(), base64.StdEncoding.EncodeToString([]byte("kept"))) || len(a.held) >= maxHeld {
		t.Errorf("%d are held: %s", len(a.held), out.String())
	}
}
