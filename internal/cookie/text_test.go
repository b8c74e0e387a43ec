package cookie

import (
	"encoding/json"
	"slices"
	"testing"
)

// oddTexts are what pages keep in local storage although it is no proper text, as JSON: compressed data has NUL and
// lone surrogates.
var oddTexts = map[string]Text{
	`"x\u0000y"`:               "x\x00y",
	`"x\ud800y"`:               "x\xed\xa0\x80y",
	`"\udc00\ud800"`:           "\xed\xb0\x80\xed\xa0\x80",
	`"\ud83d\ude00\ud83d"`:     "😀\xed\xa0\xbd",
	`"\ud800\u0041"`:           "\xed\xa0\x80A",
	`"\\ud800 \"\\\" \n </é>"`: "\\ud800 \"\\\" \n </é>",
}

func TestLocalStorageKeepsEveryText(t *testing.T) {
	for text, want := range oddTexts {
		state := `{"origins":[{"origin":"https://a.example","localStorage":[{"name":` + text + `,"value":` + text + `}]}]}`
		origins, _, err := ReadStorage([]byte(state))
		if err != nil || len(origins) != 1 || origins[0].Items[0] != (Entry{want, want}) {
			t.Errorf("%s is read as %q, %v", text, origins, err)
			continue
		}

		own, err := json.Marshal(DomainData(origins))
		if err != nil {
			t.Fatal(err)
		}
		written, err := Write(StorageState, nil, origins)
		if err != nil {
			t.Fatal(err)
		}
		for _, export := range [][]byte{own, written} {
			again, _, err := ReadStorage(export)
			if err != nil || len(again) != 1 || !slices.Equal(again[0].Items, origins[0].Items) {
				t.Errorf("%s is exported as %s and read as %q, %v", text, export, again, err)
			}
		}

		var data Data
		raw, err := json.Marshal(Data{Origins: origins})
		if err != nil || json.Unmarshal(raw, &data) != nil || !slices.Equal(data.Origins[0].Items, origins[0].Items) {
			t.Errorf("%s becomes %s, %v", text, raw, err)
		}
	}
}

func TestLocalStorageThatIsNoTextIsRefused(t *testing.T) {
	for _, text := range []string{
		"[{\"origin\":\"https://a.example\",\"localStorage\":[{\"name\":\"n\",\"value\":\"\xff\"}]}]",
		"[{\"origin\":\"https://a.example\",\"localStorage\":[{\"name\":\"n\",\"value\":\"\xed\xa0\x80\"}]}]",
		`[{"origin":"https://a.example","localStorage":[{"name":"n","value":7}]}]`,
		`[{"domain":"https://a.example","data":{"bg==":"/w=="}}]`,
	} {
		if got, _, err := ReadStorage([]byte(text)); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func FuzzText(f *testing.F) {
	for one := range oddTexts {
		f.Add(one)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		var one, two Text
		if json.Unmarshal([]byte(raw), &one) != nil {
			return
		}
		again, err := json.Marshal(one)
		if err != nil || json.Unmarshal(again, &two) != nil || one != two {
			t.Errorf("%q: %q becomes %s and then %q, %v", raw, one, again, two, err)
		}
	})
}
