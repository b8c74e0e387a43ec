package remote

import (
	"strconv"
	"strings"
)

// Preview is the summary of an object that the browser sends with it.
type Preview struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Description string `json:"description"`
	Overflow    bool   `json:"overflow"`
	Properties  []struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Subtype string   `json:"subtype"`
		Value   string   `json:"value"`
		Nested  *Preview `json:"valuePreview"`
	} `json:"properties"`
	// Entries are the contents of a Map or a Set.
	Entries []struct {
		Key   *Preview `json:"key"`
		Value *Preview `json:"value"`
	} `json:"entries"`
}

func (p *Preview) text() string {
	switch {
	case p.Type == "string":
		return strconv.Quote(p.Description)
	case p.Type != "object" || p.Subtype == "null" || p.Subtype == "date" || p.Subtype == "regexp":
		return p.Description
	case p.Entries != nil:
		return p.Description + " {" + strings.Join(p.entries(), ", ") + "}"
	case p.Subtype == "array":
		return "[" + strings.Join(p.properties(), ",") + "]"
	}
	return "{" + strings.Join(p.properties(), ",") + "}"
}

func (p *Preview) entries() (parts []string) {
	for _, e := range p.Entries {
		part := e.Value.text()
		if e.Key != nil {
			part = e.Key.text() + " => " + part
		}
		parts = append(parts, part)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return parts
}

func (p *Preview) properties() (parts []string) {
	for _, f := range p.Properties {
		value := f.Value
		switch {
		case f.Nested != nil:
			value = f.Nested.text()
		case f.Type == "string":
			value = strconv.Quote(f.Value)
		}
		if p.Subtype != "array" {
			value = strconv.Quote(f.Name) + ":" + value
		}
		parts = append(parts, value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return parts
}
