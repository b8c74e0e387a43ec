package mcpserver

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type lines struct{ bytes.Buffer }

func (*lines) Close() error { return nil }

func TestAlbumPutsPicturesAndTextsIntoTheirLines(t *testing.T) {
	var out lines
	a := newAlbum(&out)
	line := func(r *mcp.CallToolResult) []byte {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return append(raw, '\n')
	}
	same := func(a, b []byte) bool {
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y) && bytes.Count(a, []byte("\n")) == 1
	}
	text := func(s string) mcp.Content { return &mcp.TextContent{Text: s} }
	picture := func(s string) mcp.Content { return &mcp.ImageContent{Data: []byte(s), MIMEType: "image/png"} }
	long := strings.Repeat("\"quoted\" \\ <b>\n\t\x00\u2028\u2029 Ünï 😀 \xff", 300)
	for name, content := range map[string][]mcp.Content{
		"nothing":          {},
		"a short text":     {text("before")},
		"a long text":      {text(long)},
		"a picture":        {text("before"), picture(strings.Repeat("\x00\xff", 1000))},
		"an empty picture": {picture("")},
		"all of it":        {text(long), picture("first"), text("between"), picture("second"), text(strings.Repeat("x", longText))},
		"what is no mark":  {text(base64.StdEncoding.EncodeToString(make([]byte, 24)))},
	} {
		out.Reset()
		r := &mcp.CallToolResult{Content: content}
		want := line(r)
		a.part(r)
		sent := line(r)
		n, err := a.Write(sent)
		if err != nil || n != len(sent) || !same(out.Bytes(), want) {
			t.Errorf("%s: %d %v, %.300s instead of %.300s", name, n, err, out.String(), want)
		}
		if len(sent) > 5*longText/4 {
			t.Errorf("%s: the library gets %d bytes", name, len(sent))
		}
	}
	if len(a.held) != 0 || len(a.marks) != 0 {
		t.Errorf("%d are still held", len(a.held))
	}
	for range 3 * maxHeld {
		a.part(&mcp.CallToolResult{Content: []mcp.Content{picture("of a call that was cancelled")}})
	}
	kept := &mcp.CallToolResult{Content: []mcp.Content{picture("kept")}}
	want := line(kept)
	a.part(kept)
	out.Reset()
	if _, err := a.Write(line(kept)); err != nil || !same(out.Bytes(), want) || len(a.held) >= maxHeld {
		t.Errorf("%d are held: %s", len(a.held), out.String())
	}
}
