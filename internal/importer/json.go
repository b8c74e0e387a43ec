package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"cove/internal/fault"
	"cove/internal/wording"
)

// object is an object of JSON.
type object map[string]json.RawMessage

// has reports whether o has one of these names with a value.
func (o object) has(names ...string) bool {
	for _, name := range names {
		if !isEmpty(o[name]) {
			return true
		}
	}
	return false
}

// text returns the first of these names that holds a text or a number.
func (o object) text(names ...string) string {
	for _, name := range names {
		if s := scalar(o[name]); s != "" {
			return s
		}
	}
	return ""
}

// scalar returns a text or a number as a trimmed text, and "" for anything else.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return strings.TrimSpace(s)
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// isEmpty reports whether a value says nothing.
func isEmpty(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "[]", "{}", "false":
		return true
	}
	return false
}

// isZero reports whether a value is empty or the number 0, which stands for no reference.
func isZero(raw json.RawMessage) bool {
	return isEmpty(raw) || scalar(raw) == "0" || scalar(raw) == "" && !isNested(raw)
}

func isNested(raw json.RawMessage) bool {
	text := bytes.TrimSpace(raw)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

// openJSON reads the values of a file, one after the other: pages are often saved into one file.
func (r *reader) openJSON(text string) {
	d := json.NewDecoder(strings.NewReader(text))
	found := 0
	for {
		var value json.RawMessage
		err := d.Decode(&value)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.place.Item, r.place.Row = 0, 1+strings.Count(text[:offset(err, d, len(text))], "\n")
			r.fail(fault.Invalidf("This is not valid JSON.").WithHint("Save the list again; it may be cut off."))
			return
		}
		r.lists = append(r.lists, list{})
		items, err := r.unwrap(value)
		if err == nil && len(items) > 0 && r.product == CSV {
			err = errProduct(items[0], r.place.File)
		}
		if err != nil {
			r.fail(err)
			return
		}
		r.lists[len(r.lists)-1].items = len(items)
		for _, raw := range items {
			found++
			r.place.Item = found
			r.add(raw)
		}
	}
}

// offset returns where a decoder failed in a text of n bytes.
func offset(err error, d *json.Decoder, n int) int {
	var wrong *json.SyntaxError
	if errors.As(err, &wrong) {
		return min(int(max(wrong.Offset, d.InputOffset())), n)
	}
	return n // it ended too early
}

// unwrap returns the items of a list, of a page of one, of an answer that holds one, or the one object that it is.
func (r *reader) unwrap(raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		if isCookies(list) {
			r.cookies = append(r.cookies, cookieFile{r.place, string(raw)})
			return nil, nil
		}
		return list, nil
	}
	var o object
	if json.Unmarshal(raw, &o) != nil || o == nil {
		return nil, fault.Invalidf("This is neither a list nor an object.").
			WithHint("Save what the API answers, or an export.")
	}
	if why, refused := refusal(o); refused {
		return nil, fault.Invalidf("This is an error message of the API: %s", wording.Shorten(why, 200)).
			WithHint("Ask the API again, and save its answer.")
	}
	for _, name := range []string{"data", "list"} {
		if inner, there := o[name]; there && isNested(inner) && !o.has("name") {
			r.lists[len(r.lists)-1].count(o)
			return r.unwrap(inner)
		}
	}
	if (o["cookies"] != nil || o["cookie"] != nil) && !o.has("name", "user_id", "serial_number", "profile_no") {
		text := cookieText(first(o["cookies"], o["cookie"]))
		if isNested(o["cookies"]) && o.has("cookies", "origins") {
			text = string(raw) // with the local storage beside them
		}
		r.cookies = append(r.cookies, cookieFile{r.place, text})
		return nil, nil
	}
	return []json.RawMessage{raw}, nil
}

func first(a, b json.RawMessage) json.RawMessage {
	if isEmpty(a) {
		return b
	}
	return a
}

// refusal returns the words of an answer that says that a call failed.
func refusal(o object) (why string, refused bool) {
	if code := scalar(o["code"]); code != "" && code != "0" && !o.has("name") {
		return "code " + code + " " + scalar(o["msg"]), true
	}
	if string(bytes.TrimSpace(o["success"])) == "false" || o.has("errorObject") {
		return o.text("error", "message"), true
	}
	return "", false
}

// errProduct refuses a list that was given as a table.
func errProduct(item json.RawMessage, file string) error {
	product := Dolphin
	var o object
	if json.Unmarshal(item, &o) == nil && dolphinKind(o) != aProfile &&
		(o["user_proxy_config"] != nil || o.has("user_id", "profile_id", "serial_number", "profile_no", "group_id")) {
		product = AdsPower
	}
	return fault.Invalidf("A list in JSON can be read only with the product that it comes from.").
		WithHint(fmt.Sprintf("Use: cove import %s %s", product, file))
}
