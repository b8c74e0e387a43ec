package clients

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// cases is how many random documents each format gets, so 12,000 in all.
const cases = 4000 / slower

// dice makes random documents that look like what people have.
type dice struct {
	*rand.Rand
	eol   string
	loose bool
	// commas says that trailing ones may stand there.
	commas bool
}

func (d dice) of(n int) bool { return d.IntN(n) == 0 }

func (d dice) pick(words ...string) string { return words[d.IntN(len(words))] }

// gap is blank text and, where they are allowed, comments.
func (d dice) gap(least string) string {
	var b strings.Builder
	b.WriteString(least)
	for d.of(3) {
		switch d.IntN(6) {
		case 0:
			b.WriteString(d.eol)
		case 1:
			b.WriteString(d.pick(" ", "  ", "\t"))
		case 2:
			b.WriteString(d.eol + d.pick("", "  ", "    ", "\t", "\t\t"))
		case 3:
			if d.loose {
				b.WriteString(d.pick("// {a}, ", " // \"cove-1\": {}", "//") + d.eol)
			}
		case 4:
			if d.loose {
				b.WriteString(d.pick("/* c */", " /* a"+d.eol+"b */ ", "/**/"))
			}
		case 5:
			b.WriteString(d.eol + d.eol)
		}
	}
	return b.String()
}

func (d dice) scalar() string {
	return d.pick(`1`, `-0.5e3`, `true`, `null`, `"x"`, `"a, } ] \" // b"`, `"é\u00e9"`, `"C:\\x\\y"`, `""`)
}

func (d dice) value(depth int) string {
	switch {
	case depth <= 0 || d.of(3):
		return d.scalar()
	case d.of(3):
		var items []string
		for range d.IntN(4) {
			items = append(items, d.gap("")+d.value(depth-1)+d.gap(""))
		}
		return "[" + strings.Join(items, ",") + d.trail(len(items)) + d.gap("") + "]"
	}
	var members []string
	for i := range d.IntN(4) {
		members = append(members, d.member(fmt.Sprintf("k%d", i), d.value(depth-1)))
	}
	return d.object(members)
}

func (d dice) trail(n int) string {
	if n > 0 && d.commas && d.of(4) {
		return ","
	}
	return ""
}

func (d dice) member(name, value string) string {
	return d.gap(d.pick("", " ", d.eol+"  ", d.eol+"\t")) + `"` + name + `":` + d.gap(d.pick("", " ")) + value
}

func (d dice) object(members []string) string {
	d.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for i := range members {
		members[i] += d.gap("")
	}
	return "{" + strings.Join(members, ",") + d.trail(len(members)) + d.gap("") + "}"
}

// document has the way to the servers as far as chance wants it.
func (d dice) document(keys []string) string {
	var members []string
	for i := range d.IntN(4) {
		members = append(members, d.member(fmt.Sprintf("other%d", i), d.value(3)))
	}
	if len(keys) > 0 && !d.of(4) {
		members = append(members, d.member(strings.ReplaceAll(keys[0], `\`, `\\`), d.document(keys[1:])))
	}
	return d.object(members)
}

func TestRandomJSON(t *testing.T) {
	t.Parallel()
	for seed := range uint64(cases) {
		d := dice{rand.New(rand.NewPCG(seed, 1)), "\n", seed%3 != 0, seed%3 == 1}
		if d.of(3) {
			d.eol = "\r\n"
		}
		keys := [][]string{{"mcpServers"}, {"mcp"}, {"amp.mcpServers"}, {"projects", "/home/me", "mcpServers"}}[d.IntN(4)]
		text := d.gap("") + d.document(keys) + d.gap("")
		if d.of(4) {
			text = strings.TrimSuffix(text, d.eol)
		}
		format := []Format{Strict, Loose, Commented}[seed%3]
		if d.of(8) {
			text = bom + text
		}
		roundTrip(t, fmt.Sprintf("seed %d", seed), format, keys, text, d)
	}
}

// roundTrip adds three entries and removes them in any order.
func roundTrip(t *testing.T, what string, f Format, keys []string, text string, d dice) {
	t.Helper()
	r := newScratch(t, f, keys, text)
	ids := []int32{1, 2, 3}
	for _, id := range ids {
		before := r.text
		r.add(what, id)
		after := r.text
		r.add(what, id)
		if r.text != after {
			t.Fatalf("%s: adding %d again changed\n%q to\n%q", what, id, after, r.text)
		}
		if fmt.Sprint(others(t, f, keys, before)) != fmt.Sprint(others(t, f, keys, after)) {
			t.Fatalf("%s: adding %d changed something else in\n%q:\n%q", what, id, before, after)
		}
		if !subsequence(before, after) {
			t.Fatalf("%s: adding %d lost something of\n%q in\n%q", what, id, before, after)
		}
	}
	d.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		r.remove(what, id)
	}
	if r.text != text {
		t.Fatalf("%s: after add and remove in the order %v\n%q became\n%q", what, ids, text, r.text)
	}
}

// subsequence tells whether everything of a but blank text stands in b, in its order.
func subsequence(a, b string) bool {
	i := 0
	for j := 0; ; j++ {
		for i < len(a) && strings.IndexByte(" \t\r\n", a[i]) >= 0 {
			i++
		}
		if i == len(a) || j == len(b) {
			return i == len(a)
		}
		if a[i] == b[j] {
			i++
		}
	}
}

// others is the document as the plain library reads it, without the entries of ours and the maps on the way to them.
func others(t *testing.T, f Format, keys []string, text string) any {
	t.Helper()
	var all any
	var err error
	switch text = strings.TrimPrefix(text, bom); f {
	case TOML:
		err = toml.Unmarshal([]byte(text), &all)
	case YAML:
		err = yaml.Unmarshal([]byte(text), &all)
	default:
		var standard []byte
		if standard, err = hujson.Standardize([]byte(text + "\n")); err != nil { // comments only
			standard, err = hujson.Standardize([]byte(text + "\n{}"))
		}
		if err == nil {
			err = json.Unmarshal(standard, &all)
		}
	}
	if err != nil {
		t.Fatalf("%v in\n%q", err, text)
	}
	top, _ := all.(map[string]any)
	prune(top, keys)
	return top
}

func prune(m map[string]any, keys []string) {
	if len(keys) == 0 {
		for name := range m {
			if strings.HasPrefix(name, "cove-") {
				delete(m, name)
			}
		}
		return
	}
	next, _ := m[keys[0]].(map[string]any)
	prune(next, keys[1:])
	if v, there := m[keys[0]]; there && (v == nil || next != nil && len(next) == 0) {
		delete(m, keys[0])
	}
}

// scratch is a document with its ledger, without a disk.
type scratch struct {
	t    *testing.T
	text string
	spot spot
	l    *ledger
}

func newScratch(t *testing.T, f Format, keys []string, text string) *scratch {
	c := Client{Name: "x", Title: "X", Format: f, Key: keys, Shape: typed}
	return &scratch{t: t, text: text, spot: spot{client: c, scope: User, file: "f", keys: keys}, l: &ledger{}}
}

func sample(id int32) Entry {
	return Entry{Name: ServerName(id), Profile: id, Command: `C:\Program Files\cove.exe`, Args: []string{"mcp", fmt.Sprint(id)}}
}

func (s *scratch) add(what string, id int32) {
	s.t.Helper()
	d, err := open(s.spot.client.Format, []byte(s.text))
	if err != nil {
		s.t.Fatalf("%s: %v in\n%q", what, err, s.text)
	}
	e, err := (&Registry{}).planAdd(s.spot, d, s.l, sample(id))
	if err != nil {
		s.t.Fatalf("%s: add %d to\n%q\n%v", what, id, s.text, err)
	}
	if e.action != Unchanged {
		s.text, s.l = string(e.out), e.ledger
	}
}

func (s *scratch) remove(what string, id int32) {
	s.t.Helper()
	d, err := open(s.spot.client.Format, []byte(s.text))
	if err != nil {
		s.t.Fatalf("%s: %v in\n%q", what, err, s.text)
	}
	e, err := (&Registry{}).planRemove(s.spot, d, s.l, sample(id))
	if err != nil {
		s.t.Fatalf("%s: remove %d from\n%q\n%v", what, id, s.text, err)
	}
	s.text, s.l = string(e.out), e.ledger
}

// tomlDocument is a file with keys, tables, lists of tables and comments.
func (d dice) tomlDocument() string {
	var b strings.Builder
	line := func(text string) { b.WriteString(text + d.eol) }
	blank := func() {
		for d.of(3) {
			line(d.pick("", "# a comment", "  # [mcp_servers.cove-1]", "\t"))
		}
	}
	values := func(prefix string) {
		for i := range d.IntN(4) {
			blank()
			v := d.pick(`1`, `-0.5`, `true`, `"x # y"`, `'C:\x'`, `1979-05-27T07:32:00Z`, `[1, 2]`, `{ a = 1, "b c" = [1] }`,
				`"""`+d.eol+`[mcp_servers.cove-1]`+d.eol+`"""`, `"""x\"""" # """`, `''''a''''`, `[{ a = "]" }, { "b.c" = { d = [[]] } }]`, `[`+d.eol+`  "a", # c`+d.eol+`  'b',`+d.eol+`]`, `nan`, `inf`)
			line(d.pick("", "  ") + prefix + fmt.Sprintf(d.pick("k%d", `"k %d"`, "a%d.b", "k%d . c"), i) + d.pick(" = ", "=") + v + d.pick("", " # c"))
		}
	}
	values("")
	switch d.IntN(12) {
	case 0, 1:
		line(`mcp_servers.z.command = "y"`)
	case 2: // nothing of it can stand elsewhere then
		line(d.pick("mcp_servers", `"mcp_servers"`, "'mcp_servers' ") + d.pick("=", " = ", "\t=\t") + d.pick("{}", "{ }", "{a={}}", `{ a = { b = "}" } , c.d = 1 }`, "{\ta = {},\tb = { x = 1 }\t}") + d.pick("", " # }"))
		values("r")
		return b.String()
	}
	for i := range d.IntN(4) {
		blank()
		line(d.pick("[t%d]", "[ t%d . u ]", "[[t%d]]", "  [t%d]", "[mcp_servers.s%d]", `[mcp_servers."s %d"]`, "[mcp_servers.s%d.env]"))
		text := b.String()
		b.Reset()
		b.WriteString(strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
		values("")
	}
	if d.of(8) {
		blank()
		line("[mcp_servers]")
		values("q")
	}
	blank()
	text := b.String()
	if d.of(3) {
		text = strings.TrimSuffix(text, d.eol)
	}
	return text
}

func TestRandomTOML(t *testing.T) {
	t.Parallel()
	tried := 0
	for seed := range uint64(cases) {
		d := dice{rand.New(rand.NewPCG(seed, 2)), "\n", true, true}
		if d.of(3) {
			d.eol = "\r\n"
		}
		text := d.tomlDocument()
		if d.of(8) {
			text = bom + text
		}
		if _, err := open(TOML, []byte(text)); err != nil {
			continue // chance has made a table twice
		}
		tried++
		roundTrip(t, fmt.Sprintf("seed %d", seed), TOML, []string{"mcp_servers"}, text, d)
	}
	t.Logf("%d documents", tried)
	if tried < cases*5/6 {
		t.Errorf("only %d of %d documents were in order", tried, cases)
	}
}

// yamlBlock is a map in lines of its own.
func (d dice) yamlBlock(indent string, depth int, names ...string) string {
	var b strings.Builder
	line := func(text string) { b.WriteString(text + d.eol) }
	for i, name := range names {
		for d.of(4) {
			line(d.pick("", "# top", indent+"# here", "  "))
		}
		if name == "" {
			name = fmt.Sprintf(d.pick("k%d", `"k %d"`, "'k%d: x'", "é%d"), i)
		}
		head := indent + name + ":"
		switch {
		case depth > 0 && d.of(3):
			line(head + d.pick("", " # c"))
			b.WriteString(d.yamlBlock(indent+d.pick("  ", " ", "    "), depth-1, make([]string, 1+d.IntN(3))...))
		case d.of(5):
			line(head + d.pick(" |", " >", " |-", " |+"))
			line(indent + "   # not a comment")
			for d.of(2) {
				line(d.pick("", indent+"   text: x", indent+"   "))
			}
		case d.of(4):
			line(head)
			line(indent + d.pick("", "  ") + "- a")
		default:
			line(head + d.pick(" 1", " yes", ` "x: # y"`, " 'it''s'", " {a: 1, b: [x, y]}", " [1, 2]", " null", "", " a b # c", " &n 1", " !!str 1", " [&m 1, *m]",
				" \"a"+d.eol+d.eol+indent+"   # b\"", " a"+d.eol+indent+"  - b: c"+d.eol, " # c"+d.eol+indent+"  'x"+d.eol+indent+"   extensions:'", " |2"+d.eol+indent+"     x"))
		}
	}
	return b.String()
}

// yamlBraces is a file like JSON.
func (d dice) yamlBraces() string {
	servers := d.pick("", "extensions: {}, ", `"extensions": { },`+d.eol, `"extensions":{"a": {cmd: "x, }"}}, `, "extensions: {"+d.eol+"  a: {b: 1} # c"+d.eol+"  }, ")
	text := d.pick("", "# top"+d.eol, "--- ") + "{" + d.pick("", " ", d.eol+" ") + servers + d.pick("a: 1", `"a": [x, {y: z}]`, `'a': "it's"`) + d.pick("", ",", " ", d.eol) + "}"
	return text + d.pick("", d.eol, " # end"+d.eol, d.eol+"..."+d.eol)
}

func (d dice) yamlDocument() string {
	if d.of(10) {
		return d.yamlBraces()
	}
	var b strings.Builder
	if d.of(6) {
		b.WriteString(d.pick("---"+d.eol, "# top"+d.eol+d.eol))
	}
	names := make([]string, d.IntN(4))
	at := d.IntN(len(names) + 1)
	b.WriteString(d.yamlBlock("", 2, names[:at]...))
	if !d.of(4) {
		switch d.IntN(5) {
		case 0:
			b.WriteString("extensions:" + d.pick("", " # c", " {}", " { }", " {a: {b: 1}}", " { a: {b: 1} }", " { # c"+d.eol+"  a: {b: 1},  c: 2 # d"+d.eol+"  }") + d.eol)
		default:
			b.WriteString("extensions:" + d.pick("", " # c", "  ") + d.eol + d.yamlBlock(d.pick("  ", " ", "    "), 2, make([]string, 1+d.IntN(3))...))
		}
	}
	// The names of the rest must differ from the first ones.
	b.WriteString(strings.NewReplacer("k0", "l0", "k1", "l1", "k2", "l2", "k 0", "l 0", "k 1", "l 1", "é", "è").Replace(d.yamlBlock("", 2, names[at:]...)))
	text := b.String()
	if d.of(3) {
		text = strings.TrimSuffix(text, d.eol)
	}
	return text
}

func TestRandomYAML(t *testing.T) {
	t.Parallel()
	tried := 0
	for seed := range uint64(cases) {
		d := dice{rand.New(rand.NewPCG(seed, 3)), "\n", true, true}
		if d.of(3) {
			d.eol = "\r\n"
		}
		text := d.yamlDocument()
		if d.of(8) {
			text = bom + text
		}
		if doc, err := open(YAML, []byte(text)); err != nil {
			continue
		} else if _, err := doc.entries([]string{"extensions"}); err != nil {
			continue
		}
		tried++
		roundTrip(t, fmt.Sprintf("seed %d", seed), YAML, []string{"extensions"}, text, d)
	}
	t.Logf("%d documents", tried)
	if tried < cases*5/6 {
		t.Errorf("only %d of %d documents were in order", tried, cases)
	}
}

// TestCovesTakingTurns: two of them, of which none knows what the other has written, add and remove in one random document. What is
// not theirs stays as it is at every step, and nothing is refused.
func TestCovesTakingTurns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(cases / 4) {
		f := []Format{Loose, Strict, TOML, YAML}[seed%4]
		d := dice{rand.New(rand.NewPCG(seed, 4)), "\n", f == Loose, f == Loose}
		if d.of(3) {
			d.eol = "\r\n"
		}
		var text string
		keys := []string{"mcpServers"}
		switch f {
		case TOML:
			keys, text = []string{"mcp_servers"}, d.tomlDocument()
		case YAML:
			keys, text = []string{"extensions"}, d.yamlDocument()
		default:
			text = d.gap("") + d.document(keys) + d.gap("")
		}
		doc, err := open(f, []byte(text))
		if err == nil {
			_, err = doc.entries(keys)
		}
		if err != nil {
			continue
		}
		coves := [2]*scratch{newScratch(t, f, keys, text), newScratch(t, f, keys, text)}
		theirs, now := fmt.Sprint(others(t, f, keys, text)), text
		owner := map[int32]*scratch{}
		for step := range 12 {
			id := int32(d.IntN(4) + 1)
			what := fmt.Sprintf("seed %d, step %d, profile %d of %q", seed, step, id, text)
			if c := owner[id]; c != nil {
				c.text = now
				c.remove(what, id)
				now, owner[id] = c.text, nil
			} else {
				c = coves[d.IntN(2)]
				c.text = now
				c.add(what, id)
				now, owner[id] = c.text, c
			}
			if fmt.Sprint(others(t, f, keys, now)) != theirs || !subsequence(text, now) {
				t.Fatalf("%s became\n%q", what, now)
			}
		}
	}
}
