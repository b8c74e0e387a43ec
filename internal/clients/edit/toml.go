package edit

import (
	"slices"
	"strings"
)

// tomlEditor edits TOML. A new entry is a table at the end of the file.
type tomlEditor struct{}

// tomlKey writes a key, in quotes where it needs them.
func tomlKey(key string) string {
	special := strings.ContainsFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	if key == "" || special {
		return quote(key)
	}

	return key
}

// tomlTable writes an entry as a table.
func tomlTable(p Path, fields []Field, eol string) string {
	var b strings.Builder
	b.WriteString("[")
	for _, key := range p.Keys {
		b.WriteString(tomlKey(key) + ".")
	}
	b.WriteString(tomlKey(p.Name) + "]" + eol)
	for _, f := range fields {
		b.WriteString(tomlField(f) + eol)
	}

	return b.String()
}

// tomlInline writes an entry as an inline table.
func tomlInline(fields []Field) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = tomlField(f)
	}

	return "{ " + strings.Join(words, ", ") + " }"
}

func tomlField(f Field) string { return tomlKey(f.Key) + " = " + tomlValue(f.Value) }

func tomlValue(v any) string { return layout{}.value(v, "") }

func (tomlEditor) insert(text string, p Path, fields []Field) (string, Origin, error) {
	all, err := expressions(text)
	if err != nil {
		return "", Origin{}, err
	}

	was := Origin{At: len(p.Keys)}
	for _, x := range all {
		if x.inline && slices.Equal(x.keys, p.Keys) { // TOML allows no table beside an inline table of the same keys
			at := x.start + strings.IndexByte(text[x.start:], '{') + 1
			at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
			entry := tomlKey(p.Name) + " = " + tomlInline(fields)
			if len(x.inside) > 0 {
				entry += ", "
			}
			return apply(text, splice{at, at, entry}), was, nil
		}
	}

	eol := eolOf(text)
	switch {
	case text == "" || endsBlank(text):
	case strings.HasSuffix(text, "\n"):
		was.Lead = eol
	default:
		was.Lead = eol + eol
	}

	return text + was.Lead + tomlTable(p, fields, eol), was, nil
}

func (tomlEditor) update(text string, p Path, c Content) (string, error) {
	all, err := expressions(text)
	if err != nil {
		return "", err
	}

	var splices []splice
	for _, x := range flatten(all) {
		for _, f := range c.Fields {
			if c.owns(f) && slices.Equal(x.keys, append(p.all(), f.Key)) {
				// The key stays as it is written: it may be a dotted one.
				head := text[x.start : x.start+strings.IndexByte(text[x.start:x.end], '=')+1]
				splices = append(splices, splice{x.start, x.end, head + " " + tomlValue(f.Value)})
			}
		}
	}

	return apply(text, splices...), nil
}

// remove cuts the lines of an entry: its table, the tables below it, and keys that are written elsewhere. Comments and
// blank lines after it stay: they belong to what follows.
func (tomlEditor) remove(text string, p Path, was Origin) ([]string, error) {
	all, err := expressions(text)
	if err != nil {
		return nil, err
	}

	entry := p.all()
	blocks := entryBlocks(text, all, entry)
	if len(blocks) == 0 {
		return removeInline(text, all, entry)
	}

	withLead := slices.Clone(blocks)
	first := &withLead[0]
	switch before := text[:first.start]; {
	case was.Lead != "" && strings.HasSuffix(before, was.Lead):
		first.start -= len(was.Lead)
	case was.Unknown: // nobody knows whose the blank line before it is: it goes, unless it separates two others
		next := text[first.end:]
		if endsBlank(before) && (next == "" || strings.HasPrefix(next, "\n") || strings.HasPrefix(next, "\r\n")) {
			first.start -= len(eolOf(text))
		}
	}

	return []string{apply(text, withLead...), apply(text, blocks...)}, nil
}

// entryBlocks returns the lines of an entry as the smallest number of cuts.
func entryBlocks(text string, all []expression, entry []string) (blocks []splice) {
	for i, x := range all {
		if !isBelow(x.keys, entry) {
			continue
		}

		start, end := lineStart(text, x.start), lineEnd(text, x.end)
		if x.table {
			end = x.end
		}
		if n := len(blocks); n > 0 && isBelow(all[i-1].keys, entry) {
			// A comment before a further table stays: nobody knows what it belongs to.
			between := text[blocks[n-1].end:max(blocks[n-1].end, start)]
			if !x.table || !strings.Contains(between, "#") {
				blocks[n-1].end = end
				continue
			}
		}
		blocks = append(blocks, splice{start, end, ""})
	}

	return blocks
}

// removeInline cuts an entry from an inline table.
func removeInline(text string, all []expression, entry []string) ([]string, error) {
	for _, x := range flatten(all) {
		for i, one := range x.inside {
			if slices.Equal(one.keys, entry) {
				return cutItem(text, one.start, one.end, i == 0), nil
			}
		}
	}

	return nil, errUnsafe
}

func (tomlEditor) fresh(p Path, fields []Field, eol string) string { return tomlTable(p, fields, eol) }
