package cookie

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"cove/internal/fault"
)

// StorageField is the input that errors about local storage name.
const StorageField = "localStorage"

// Origin is the local storage of one origin.
type Origin struct {
	Origin string // scheme://host[:port]
	Items  []Entry
}

// Entry is one entry of a local storage.
type Entry struct{ Name, Value Text }

// storedOrigin is an origin in Playwright's file.
type storedOrigin struct {
	Origin       string        `json:"origin"`
	LocalStorage []storedEntry `json:"localStorage"`
}

type storedEntry struct {
	Name  Text `json:"name"`
	Value Text `json:"value"`
}

func storedOrigins(origins []Origin) []storedOrigin {
	out := make([]storedOrigin, 0, len(origins))
	for _, o := range origins {
		s := storedOrigin{Origin: o.Origin, LocalStorage: make([]storedEntry, 0, len(o.Items))}
		for _, e := range o.Items {
			s.LocalStorage = append(s.LocalStorage, storedEntry(e))
		}
		out = append(out, s)
	}
	return out
}

// ReadOrigins reads the origins of a storageState. It returns the names of what it does not take along.
func ReadOrigins(raw []byte) (out []Origin, ignored []string, err error) {
	var in []struct {
		storedOrigin
		IndexedDB json.RawMessage `json:"indexedDB"`
	}
	if json.Unmarshal(raw, &in) != nil {
		return nil, nil, fault.Unprocessablef("origins", "The origins are not those of a storageState.").
			WithHint("Send [{\"origin\":…,\"localStorage\":[{\"name\":…,\"value\":…}]}].")
	}
	b := storageBuilder{index: map[string]int{}}
	for i, o := range in {
		for _, e := range o.LocalStorage {
			if err := b.add(i+1, o.Origin, Entry(e)); err != nil {
				return nil, nil, err
			}
		}
		if !isNull(o.IndexedDB) && string(bytes.TrimSpace(o.IndexedDB)) != "[]" {
			ignored = []string{"origins.indexedDB"}
		}
	}
	return b.out, ignored, nil
}

// DomainItem is the local storage of one origin as Cove's own export writes it: names and values in base64.
type DomainItem struct {
	Domain string `json:"domain"`
	// Encoding is UTF8 in what Cove writes. Raw records of a browser, which other programs export, have none.
	Encoding string            `json:"encoding,omitempty"`
	Data     map[string]string `json:"data"`
}

// UTF8 is the encoding of names and values in Cove's own export.
const UTF8 = "utf-8"

// ReadStorage reads local storage: Cove's own export, or a storageState or its origins.
func ReadStorage(raw []byte) ([]Origin, []string, error) {
	text := bytes.TrimSpace(raw)
	if len(text) > 0 && text[0] == '"' {
		var inner string
		if json.Unmarshal(text, &inner) != nil {
			return nil, nil, errStorage
		}
		text = bytes.TrimSpace([]byte(inner))
	}
	if len(text) > 0 && text[0] == '{' {
		var state struct {
			Origins json.RawMessage `json:"origins"`
		}
		if json.Unmarshal(text, &state) != nil || isNull(state.Origins) {
			return nil, nil, errStorage
		}
		return ReadOrigins(state.Origins)
	}
	var items []map[string]json.RawMessage
	if json.Unmarshal(text, &items) != nil {
		return nil, nil, errStorage
	}
	if len(items) > 0 && items[0]["origin"] != nil {
		return ReadOrigins(text)
	}
	out, err := readDomainData(text)
	return out, nil, err
}

var errStorage = fault.Unprocessablef(StorageField, "The local storage is in no format that Cove can read.").
	WithHint("Send what Cove exports, [{\"domain\":ORIGIN,\"data\":{…}}] in base64, or a Playwright storageState.")

func readDomainData(text []byte) ([]Origin, error) {
	var in []DomainItem
	if json.Unmarshal(text, &in) != nil {
		return nil, errStorage
	}
	b := storageBuilder{index: map[string]int{}}
	for i, o := range in {
		for name, value := range o.Data {
			n, ok := decodeText(name, o.Encoding)
			v, also := decodeText(value, o.Encoding)
			if !ok || !also {
				return nil, fault.Unprocessablef(StorageField, "Origin %d has data that is not UTF-8 text in base64.",
					i+1).WithHint("Raw records of another program cannot be imported. Nothing was imported.")
			}
			if err := b.add(i+1, o.Domain, Entry{n, v}); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range b.out {
		sortEntries(o.Items)
	}
	return b.out, nil
}

// decodeText reads a name or a value. Without an encoding it refuses what a raw record of a browser can be: that has
// zeros, or begins with a byte that says how it is encoded.
func decodeText(s, encoding string) (Text, bool) {
	raw, err := base64.StdEncoding.DecodeString(s)
	t := Text(raw)
	isRaw := bytes.IndexByte(raw, 0) >= 0 || bytes.HasPrefix(raw, []byte{1})
	return t, err == nil && t.valid() && (encoding == UTF8 || encoding == "" && !isRaw)
}

// DomainData returns local storage as Cove's own export writes it.
func DomainData(origins []Origin) []DomainItem {
	out := make([]DomainItem, 0, len(origins))
	for _, o := range origins {
		d := DomainItem{Domain: o.Origin, Encoding: UTF8, Data: make(map[string]string, len(o.Items))}
		for _, e := range o.Items {
			d.Data[encodeText(e.Name)] = encodeText(e.Value)
		}
		out = append(out, d)
	}
	return out
}

func encodeText(s Text) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// storageBuilder collects entries by origin.
type storageBuilder struct {
	out   []Origin
	index map[string]int
}

func (b *storageBuilder) add(position int, origin string, e Entry) error {
	clean, ok := cleanOrigin(origin)
	if !ok {
		return fault.Unprocessablef(StorageField,
			"Origin %d is not an address such as https://example.com.", position).
			WithHint("Correct it, or leave it out. Nothing was imported.")
	}
	at, there := b.index[clean]
	if !there {
		at = len(b.out)
		b.index[clean] = at
		b.out = append(b.out, Origin{Origin: clean})
	}
	b.out[at].Items = append(b.out[at].Items, e)
	return nil
}

// cleanOrigin gives an origin the form that browsers write.
func cleanOrigin(origin string) (string, bool) {
	u, err := url.Parse(strings.TrimSuffix(origin, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" ||
		u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", false
	}
	host := Cookie{Domain: u.Hostname()}
	if strings.Contains(host.Domain, ":") {
		host.Domain = "[" + host.Domain + "]"
	}
	if strings.HasPrefix(host.Domain, ".") || host.cleanDomain() != "" {
		return "", false
	}
	clean := u.Scheme + "://" + host.Domain
	usual := map[string]string{"http": "80", "https": "443"}
	if port := u.Port(); port != "" && port != usual[u.Scheme] {
		clean += ":" + port
	}
	return clean, true
}
