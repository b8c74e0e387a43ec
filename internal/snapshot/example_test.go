package snapshot_test

import (
	"fmt"

	"cove/internal/snapshot"
	"cove/internal/snapshot/document"
)

// A document as the walker reads it becomes a few lines that a model reads, with a uid for everything it can act on.
func ExampleRender() {
	doc := &document.Doc{Label: "a", Title: "Shop", URL: "https://shop.example/", Root: &document.Node{
		ID: 1, Role: "RootWebArea", Name: "Shop", Kids: []*document.Node{
			{ID: 2, Role: "heading", Name: "Shirts", States: []document.State{{Key: "level", Value: "1"}}},
			{ID: 3, Role: "button", Name: "Add to cart", Act: true},
		},
	}}
	text, index, err := snapshot.Render(doc, snapshot.Options{Number: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	role, name, _ := index.Find("a3")
	fmt.Print(text)
	fmt.Printf("a3 is the %s %q.\n", role, name)
	// Output:
	// uid=a1 RootWebArea "Shop" url="https://shop.example/" snapshot=1
	//  heading "Shirts" level="1"
	//  uid=a3 button "Add to cart"
	// a3 is the button "Add to cart".
}
