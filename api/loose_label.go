package api

import (
	"encoding/json"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// LooseNotes are notes as clients send them: a text, an object with the text in content, or a list of these.
type LooseNotes string

// UnmarshalJSON accepts a text, an object and a list of them, which becomes one text with a line each.
func (n *LooseNotes) UnmarshalJSON(raw []byte) error {
	var many []LooseText
	if json.Unmarshal(raw, &many) != nil {
		var one LooseText
		err := one.UnmarshalJSON(raw)
		*n = LooseNotes(one)
		return err
	}
	lines := make([]string, 0, len(many))
	for _, one := range many {
		if one != "" {
			lines = append(lines, string(one))
		}
	}
	*n = LooseNotes(strings.Join(lines, "\n"))
	return nil
}

// LooseFolder is a folder as clients send it: a number is its id, a text its name. 0, null and "" mean none.
type LooseFolder struct {
	ID   FolderID `json:"id,omitempty"`
	Name string   `json:"name,omitempty"`
}

// UnmarshalJSON accepts an id, a name, and an object with an id.
func (f *LooseFolder) UnmarshalJSON(raw []byte) error {
	*f = LooseFolder{}
	if json.Unmarshal(raw, &f.Name) == nil {
		f.Name = strings.TrimSpace(f.Name)
		return nil
	}
	id, err := looseID(raw, "folder")
	f.ID = FolderID(id)
	return err
}

// Digits reads a name of digits as an id, for clients that have no numbers.
func (f *LooseFolder) Digits() {
	if n, err := strconv.ParseInt(f.Name, 10, 32); err == nil && n >= 0 {
		*f = LooseFolder{ID: FolderID(n)}
	}
}

// MarshalJSON writes the id or the name.
func (f LooseFolder) MarshalJSON() ([]byte, error) {
	if f.ID != 0 {
		return json.Marshal(f.ID)
	}
	return json.Marshal(f.Name)
}

// LooseStatus is a status as clients send it: its id, or an object with the id. 0, null and "" mean none.
type LooseStatus StatusID

// UnmarshalJSON accepts an id, its digits, and an object with an id.
func (s *LooseStatus) UnmarshalJSON(raw []byte) error {
	id, err := looseID(raw, "status")
	*s = LooseStatus(id)
	return err
}

// looseID reads an id, its digits, or an object with one of them as id.
func looseID(raw []byte, what string) (int32, error) {
	var object struct {
		ID json.RawMessage `json:"id"`
	}
	field := ""
	if json.Unmarshal(raw, &object) == nil && object.ID != nil {
		raw, field = object.ID, "id"
	}
	text, ok := looseScalar(raw)
	if text = strings.TrimSpace(text); ok && text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if !ok || err != nil || n < 0 {
		return 0, fault.Unprocessablef(field, "This is not the id of a %s.", what).
			WithHint("Send a number such as 3, or null for none.")
	}
	return int32(n), nil
}
