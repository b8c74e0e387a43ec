package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhatIsCommittedIsFresh(t *testing.T) {
	made, err := Made(root(t))
	if err != nil {
		t.Fatal(err)
	}
	stale, err := Stale(root(t), made)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stale {
		t.Errorf("%s: run make bundle", s)
	}
}

func TestStaleNamesWhatIsNotAsItsSourcesMakeIt(t *testing.T) {
	dir := t.TempDir()
	dist := filepath.Join(dir, "internal", "webui", "dist")
	if err := os.MkdirAll(dist, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"app.js": "old", "style.css": "same", "left.js": ""} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stale, err := Stale(dir, Files{
		webui + "/dist/app.js": []byte("new"), webui + "/dist/style.css": []byte("same"),
		webui + "/dist/icon.svg": []byte("icon"),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(stale, "\n")
	for _, want := range []string{"app.js is not what", "icon.svg is missing", "left.js has no source"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "style.css") {
		t.Errorf("what is fresh is stale: %q", got)
	}
}

func TestTypesOfSchemas(t *testing.T) {
	got, err := Types([]byte(`{"components":{"schemas":{
		"Pet":{"type":"object","description":"An animal.","required":["name","kind"],"properties":{
			"name":{"type":"string","description":"Its name."},
			"kind":{"type":"string","enum":["cat","dog"]},
			"age":{"type":["integer","null"]},
			"tags":{"type":"array","items":{"type":"string"}},
			"homes":{"type":"array","items":{"oneOf":[{"$ref":"#/components/schemas/Home"},{"type":"null"}]}},
			"by-name":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Home"}},
			"any":{}}},
		"Home":{"type":"object","properties":{"always":{"const":true}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := "// The types of the API, written from api/openapi.json by `make bundle`. Do not edit.\n" + `
export type Home = {
  always?: true
}

/** An animal. */
export type Pet = {
  /** Its name. */
  name: string
  kind: 'cat' | 'dog'
  age?: number | null
  tags?: string[]
  homes?: (Home | null)[]
  'by-name'?: Record<string, Home>
  any?: unknown
}
`
	if string(got) != want {
		t.Errorf("got\n%s", got)
	}
}

func TestADescriptionWithoutSchemasIsAnError(t *testing.T) {
	if got, err := Types([]byte(`{}`)); err == nil {
		t.Errorf("%q was written", got)
	}
}
