(()=>{var uncurry=f=>Function.prototype.call.bind(f);var method=(type,name)=>uncurry(descriptor(type,name).value);function descriptor(type,name){for(let p=type.prototype;p;p=Object.getPrototypeOf(p)){const found=Object.
getOwnPropertyDescriptor(p,name);if(found)return found}throw new TypeError(`no property ${String(name)}`)}var getter=(type,name)=>uncurry(descriptor(type,name).get);var nodeType=getter(Node,"nodeType");var firstChild=getter(Node,"firstChild");var nextSibling=getter(Node,"nextSibling");var parentNode=getter(Node,"parentNode");var isConnected=getter(Node,"isConnect\
ed");var rootOf=method(Node,"getRootNode");var contains=method(Node,"contains");var dataOf=getter(CharacterData,"data");var tagOf=getter(Element,"localName");var namespaceOf=getter(Element,"namespaceU\
RI");var shadowRootOf=getter(Element,"shadowRoot");var assignedSlot=getter(Element,"assignedSlot");var firstElementChild=getter(Element,"firstElementChild");var nextElementSibling=getter(Element,"next\
ElementSibling");var attr=method(Element,"getAttribute");var has=method(Element,"hasAttribute");var hasAttributes=method(Element,"hasAttributes");var attributeNames=method(Element,"getAttributeNames");
var matches=method(Element,"matches");var closest=method(Element,"closest");var checkVisibility=method(Element,"checkVisibility");var animationsOf=method(Element,"getAnimations");var rectOf=method(Element,
"getBoundingClientRect");var clientHeight=getter(Element,"clientHeight");var clientWidth=getter(Element,"clientWidth");var queryIn=method(Element,"querySelector");var queryAllIn=method(Element,"queryS\
electorAll");var byTagIn=method(Element,"getElementsByTagName");var labelledByElements=getter(Element,"ariaLabelledByElements");var describedByElements=getter(Element,"ariaDescribedByElements");var tabIndexOf=getter(
HTMLElement,"tabIndex");var isContentEditable=getter(HTMLElement,"isContentEditable");var assignedNodes=method(HTMLSlotElement,"assignedNodes");var labelControl=getter(HTMLLabelElement,"control");var inputType=getter(
HTMLInputElement,"type");var inputValue=getter(HTMLInputElement,"value");var inputFault=getter(HTMLInputElement,"validationMessage");var selectFault=getter(HTMLSelectElement,"validationMessage");var areaFault=getter(
HTMLTextAreaElement,"validationMessage");var inputChecked=getter(HTMLInputElement,"checked");var inputIndeterminate=getter(HTMLInputElement,"indeterminate");var inputList=getter(HTMLInputElement,"list");
var areaValue=getter(HTMLTextAreaElement,"value");var selectIndex=getter(HTMLSelectElement,"selectedIndex");var selectedOptions=getter(HTMLSelectElement,"selectedOptions");var optionSelected=getter(HTMLOptionElement,
"selected");var optionLabel=getter(HTMLOptionElement,"label");var anchorHref=getter(HTMLAnchorElement,"href");var areaHref=getter(HTMLAreaElement,"href");var imageSrc=getter(HTMLImageElement,"src");var progressPosition=getter(HTMLProgressElement,"position");var progressValue=getter(HTMLProgressElement,"value");var meterValue=getter(HTMLMeterElement,"value");var documentElement=getter(Document,"d\
ocumentElement");var bodyOf=getter(Document,"body");var titleOf=getter(Document,"title");var typeOf=getter(Document,"contentType");var activeIn=getter(Document,"activeElement");var activeInShadow=getter(
ShadowRoot,"activeElement");var documentSheets=getter(Document,"styleSheets");var shadowSheets=getter(ShadowRoot,"styleSheets");var documentAdopted=getter(Document,"adoptedStyleSheets");var shadowAdopted=getter(
ShadowRoot,"adoptedStyleSheets");var elementFromPoint=method(Document,"elementFromPoint");var baseURI=getter(Node,"baseURI");var queryDocument=method(Document,"querySelectorAll");var queryFragment=method(DocumentFragment,"querySelectorAll");var idInDocument=method(Document,"getElementById");
var idInFragment=method(DocumentFragment,"getElementById");var doc=document;var ELEMENT=1;var TEXT=3;var HTML="http://www.w3.org/1999/xhtml";var SVG="http://www.w3.org/2000/svg";var MATH="http://www.w3.org/1998/Math/MathML";var isElement=node2=>nodeType(node2)===
ELEMENT;var isHTML=el=>namespaceOf(el)===HTML;var isInput=el=>el instanceof HTMLInputElement;var queryAll=(scope,selector)=>scope instanceof Document?queryDocument(scope,selector):scope instanceof DocumentFragment?
queryFragment(scope,selector):[];var byId=(scope,id)=>scope instanceof Document?idInDocument(scope,id):scope instanceof DocumentFragment?idInFragment(scope,id):null;var words=text=>text?text.split(/[ \t\n\f\r]+/).
filter(Boolean):[];var set=text=>new Set(words(text));var attrOf=(el,name)=>attr(el,name)||"";var sheets=new WeakMap;var MANY_RULES=400;var SAYS_ALL={generates:true,transforms:true};function saysOf(sheet){try{const rules=sheet.cssRules,was=sheets.get(sheet),size=sizeOf(rules);if(was?.size===size)
return was;const says={size,...rules.length>MANY_RULES?SAYS_ALL:{generates:false,transforms:false}};for(let i=0;i<rules.length&&!(says.generates&&says.transforms);i++){const text=rules[i].cssText,more=text.
includes("@import");says.generates||=more||/:before|:after/.test(text);says.transforms||=more||text.includes("text-transform")}sheets.set(sheet,says);return says}catch{return SAYS_ALL}}function sizeOf(rules){
let size=rules.length;if(size<=MANY_RULES){for(const rule of rules)if(rule instanceof CSSGroupingRule)size+=sizeOf(rule.cssRules)}return size}function allSheets(){if(pass.sheets)return pass.sheets;pass.
sheets={generates:false,transforms:false};for(const root of[doc,...observedRoots()])addSheets(root);return pass.sheets}function addSheets(root){const all=pass.sheets;if(!all||all.generates&&all.transforms)
return;for(const list of root===doc?[documentSheets(root),documentAdopted(root)]:[shadowSheets(root),shadowAdopted(root)]){for(const sheet of list){const says=saysOf(sheet);all.generates||=says.generates;
all.transforms||=says.transforms}}all.transforms||=queryAll(root,"[style*=text-transform i]").length>0}function generated(el,which){if(!allSheets().generates&&tagOf(el)!=="q")return"";const style=getComputedStyle(
el,which);const content2=style.content;if(content2==="none"||content2==="normal"||content2==="")return"";if(style.display==="none"||style.visibility!=="visible")return"";const text=transformed(contentText(
content2,el,which),style);return text===""||style.display==="inline"&&!content2.includes(" / ")?text:` ${text} `}function contentText(content2,el,which){if(content2.includes("counter"))return countedText(
content2,el,which);return joined(content2.match(contentTokens)||[],null)}var contentTokens=/"(?:[^"\\]|\\.)*"|\/|[\w-]+\([^)]*\)|[\w-]+/g;function joined(tokens,counter){const slash=tokens.indexOf("/");
let text="";for(const token of slash<0?tokens:tokens.slice(slash+1)){if(token.startsWith('"'))text+=unescaped(token.slice(1,-1));else if(token==="open-quote")text+="“";else if(token==="close-quote")
text+="”";else if(counter!==null&&token.startsWith("counter"))text+=counter(token)}return text}function unescaped(text){return text.replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/g,(_,hex,char)=>hex?String.fromCodePoint(
parseInt(hex,16)||65533):char)}var MOST_COUNTED=1e4;var counted=new WeakSet;var anyCounted=false;var counting=false;function countedText(content2,el,which){const tokens=content2.match(contentTokens)||
[];for(let e=el,n=0;e&&n<4;e=parentOf(e),n++)counted.add(e);anyCounted=true;if(!counting)return joined(tokens,null);const at=counters().get(el);const values=at?.[which];return joined(tokens,token=>values?
written(token,values):"");function written(token,values2){const[name,...rest]=token.slice(token.indexOf("(")+1,-1).split(/,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/);const all=values2.get(name.trim())||[0];if(token.
startsWith("counters("))return all.map(v=>numeral(v,rest[1])).join(unescaped((rest[0]||'""').trim().slice(1,-1)));return numeral(all.at(-1)??0,rest[0])}}function countedName(el){counting=true;const saved=pass.
names;pass.names=new Map;const text=nameOf(el);pass.names=saved;counting=false;return text===nameOf(el)?void 0:text}function counters(){if(pass.counters)return pass.counters;const found=new Map;pass.counters=
found;let left=MOST_COUNTED;const all=new Map;const apply=(style,level,item,list)=>{for(const[name,n]of pairs(style.counterReset))begin(name,n,level);if(list!==null&&!/\blist-item\b/.test(style.counterReset))
begin("list-item",list,level);for(const[name,n]of pairs(style.counterIncrement))add(name,n,level);if(item&&!/\blist-item\b/.test(style.counterIncrement))add("list-item",1,level);for(const[name,n]of pairs(
style.counterSet))add(name,n,level,true)};const stack=name=>{const s=all.get(name)??[];all.set(name,s);return s};const begin=(name,value,level)=>{const s=stack(name);if(s.at(-1)?.level===level)s.pop();
s.push({value,level})};const add=(name,n,level,set2=false)=>{const s=stack(name);if(!s.length)s.push({value:0,level});const last=s[s.length-1];if(set2)last.value=n;else last.value+=n};const drop=level=>{
for(const s of all.values())while(s.length&&s[s.length-1].level>level)s.pop()};const shown=(el,which,style,level)=>{const content2=style.content;if(content2==="none"||content2==="normal"||content2===""||
style.display==="none")return;apply(style,level,false,null);if(!content2.includes("counter"))return;const at=found.get(el)??{};found.set(el,at);at[which]=new Map(Array.from(all,([name,s])=>[name,s.map(
c=>c.value)]))};const visit=(el,level)=>{const style=styleOf(el);if(--left<0||style.display==="none")return;const tag=tagOf(el);apply(style,level,style.display==="list-item",tag==="ol"||tag==="ul"||tag===
"menu"?(parseInt(attrOf(el,"start"),10)||1)-1:null);if(tag==="li"&&has(el,"value"))add("list-item",parseInt(attrOf(el,"value"),10)||0,level,true);shown(el,"::before",getComputedStyle(el,"::before"),level+
1);for(const kid of kidsOf(el))if(isElement(kid))visit(kid,level+1);shown(el,"::after",getComputedStyle(el,"::after"),level+1);drop(level)};visit(documentElement(doc),0);return found}function pairs(text){
if(text==="none")return[];const list=[],parts=text.split(" ");for(let i=0;i+1<parts.length;i+=2)list.push([parts[i].replace(/^reversed\((.*)\)$/,"$1"),Number(parts[i+1])]);return list}var romans=[[1e3,
"m"],[900,"cm"],[500,"d"],[400,"cd"],[100,"c"],[90,"xc"],[50,"l"],[40,"xl"],[10,"x"],[9,"ix"],[5,"v"],[4,"iv"],[1,"i"]];function numeral(n,style=""){switch(style.trim()){case"decimal-leading-zero":return(n<
0?"-":"")+String(Math.abs(n)).padStart(2,"0");case"lower-roman":case"upper-roman":{if(n<1||n>3999)return String(n);let text="";for(const[value,sign]of romans)for(;n>=value;n-=value)text+=sign;return style.
includes("upper")?text.toUpperCase():text}case"lower-alpha":case"lower-latin":case"upper-alpha":case"upper-latin":{if(n<1)return String(n);let text="";for(;n>0;n=Math.floor((n-1)/26))text=String.fromCharCode(
97+(n-1)%26)+text;return style.includes("upper")?text.toUpperCase():text}case"disc":case"circle":case"square":case"none":return""}return String(n)}var ariaRoles=new Map(words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox complementary contentinfo definition deletion dialog document emphasis feed figure form
  generic grid
  gridcell group heading insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region row
  rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript
  switch tab
  table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem sectionheader sectionfooter
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
  doc-biblioref
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
  doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
  doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
  doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object
  graphics-symbol`).map(r=>[r,r]));for(const[from,to]of[["img","image"],["image","image"],["directory","list"],["presentation","none"]])ariaRoles.set(from,to);var tagRoles=new Map(Object.entries({a:"g\
eneric",abbr:"Abbr",address:"group",article:"article",audio:"Audio",blockquote:"blockquote",br:"LineBreak",button:"button",caption:"caption",code:"code",dd:"definition",del:"deletion",details:"group",
dfn:"term",dialog:"dialog",dl:"DescriptionList",dt:"term",em:"emphasis",fieldset:"group",figcaption:"Figcaption",figure:"figure",form:"form",frame:"Iframe",h1:"heading",h2:"heading",h3:"heading",h4:"h\
eading",h5:"heading",h6:"heading",hgroup:"group",hr:"separator",iframe:"Iframe",ins:"insertion",label:"LabelText",legend:"Legend",li:"listitem",main:"main",mark:"mark",menu:"list",meter:"meter",nav:"n\
avigation",object:"PluginObject",ol:"list",optgroup:"group",option:"option",output:"status",p:"paragraph",progress:"progressbar",ruby:"Ruby",s:"deletion",search:"search",strong:"strong",sub:"subscript",
sup:"superscript",textarea:"textbox",time:"time",ul:"list",video:"Video"}));var inputRoles=new Map(Object.entries({button:"button",checkbox:"checkbox",color:"ColorWell",date:"Date","datetime-local":"D\
ateTime",file:"button",hidden:"none",image:"button",month:"DateTime",number:"spinbutton",radio:"radio",range:"slider",reset:"button",search:"searchbox",submit:"button",time:"InputTime",week:"DateTime"}));
var mathRoles=new Map(Object.entries({math:"MathMLMath",mi:"MathMLIdentifier",mn:"MathMLNumber",mo:"MathMLOperator",mrow:"MathMLRow",mfrac:"MathMLFraction",msqrt:"MathMLSquareRoot",msup:"MathMLSup",msub:"\
MathMLSub",mtext:"MathMLText"}));var globalAria=words(`aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details
  aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns
  aria-relevant
  aria-roledescription`);var notThere=set("head script style template noscript title meta link base param source track datalist rp rt colgroup col");function roleOf(el){let role=pass.roles.get(el);if(role===
void 0){if(isSpecial(el)){pass.roles.set(el,"generic");role=has(el,"role")?ariaRole(el):null}pass.roles.set(el,role||=nativeRole(el))}return role}function ariaRole(el){for(const word of words(attrOf(el,
"role").toLowerCase())){const role=ariaRoles.get(word);if(!role)continue;switch(role){case"none":return isNeeded(el)?null:"none";case"form":case"region":if(!hasAuthorName(el))continue;return role;case"\
listitem":if(!within(el,"list"))continue;return role;case"option":if(!within(el,"listbox","group"))continue;return role;case"treeitem":if(!within(el,"tree","group","treeitem"))continue;return role}return role}
return null}function isNeeded(el){return isFocusable(el)||globalAria.some(name=>has(el,name))}function isFocusable(el){if(has(el,"tabindex"))return!Number.isNaN(parseInt(attrOf(el,"tabindex"),10))&&!isDisabled(
el);return el instanceof HTMLElement&&tabIndexOf(el)>=0&&!isDisabled(el)}var isDisabled=el=>isHTML(el)&&matches(el,":disabled");function within(el,...roles){const owner=scopeOf(rootOf(el)).owned.get(el);
for(let e=owner||parentOf(el);e;e=parentOf(e)){const role=roleOf(e);if(role!=="generic"&&role!=="none")return roles.includes(role)}return false}function hasAuthorName(el){if(attrOf(el,"aria-label").trim()||
attrOf(el,"title").trim())return true;return references(el).some(ref=>contentOfReference(ref))}function nativeRole(el){const ns=namespaceOf(el),tag=tagOf(el);if(ns===SVG)return svgRole(el,tag);if(ns===
MATH)return mathRoles.get(tag)||"generic";switch(tag){case"div":return isSpecial(el)&&has(el,"draggable")?"group":"generic";case"span":case"b":case"i":return"generic";case"a":return has(el,"href")||has(
el,"onclick")?"link":"generic";case"area":return has(el,"href")?"link":"none";case"li":return isPresentational(parentOf(el))?"none":"listitem";case"input":return isInput(el)?inputRole(el):"generic";case"\
select":return has(el,"multiple")||Number(attr(el,"size"))>1?attr(el,"size")==="1"?"combobox":"listbox":"combobox";case"img":return attr(el,"alt")===""&&!has(el,"title")&&!isNeeded(el)?"none":"image";case"\
header":return isScoped(el)?"sectionheader":"banner";case"footer":return isScoped(el)?"sectionfooter":"contentinfo";case"section":return hasAuthorName(el)?"region":"generic";case"aside":return isInSection(
el)&&!hasAuthorName(el)?"generic":"complementary";case"summary":return parentNode(el)instanceof HTMLDetailsElement?"DisclosureTriangle":"generic";case"label":return labelRole(el);case"canvas":return firstChild(
el)||isNeeded(el)||has(el,"title")?"Canvas":"none";case"audio":return has(el,"controls")?"Audio":"none";case"html":return parentNode(el)===doc?"none":"generic";case"table":case"thead":case"tbody":case"\
tfoot":case"tr":case"td":case"th":return tableRole(el,tag)}if(notThere.has(tag))return"none";return tagRoles.get(tag)||"generic"}var isPresentational=el=>el!==null&&roleOf(el)==="none"&&has(el,"role");
function inputRole(el){const type=inputType(el);if(has(el,"list")&&!["range","color","checkbox","radio","file","hidden","submit","reset","image","button"].includes(type)&&inputList(el))return"combobox";
return inputRoles.get(type)||"textbox"}function labelRole(el){const control=el instanceof HTMLLabelElement?labelControl(el):null;return control&&isInput(control)&&["checkbox","radio"].includes(inputType(
control))&&contains(el,control)?"none":"LabelText"}function isScoped(el){for(let e=parentOf(el);e;e=parentOf(e)){if(has(e,"role")){if(["article","complementary","main","navigation"].includes(roleOf(e)))
return true;if(roleOf(e)!=="region")continue}if(isHTML(e)&&["article","aside","main","nav","section"].includes(tagOf(e)))return true}return false}function isInSection(el){for(let e=parentOf(el);e;e=parentOf(
e)){if(["article","aside","nav","section"].includes(tagOf(e)))return true;if(has(e,"role")&&["article","complementary","navigation"].includes(roleOf(e)))return true}return false}function svgRole(el,tag){
switch(tag){case"svg":return svgSpeaks(el)?"SvgRoot":"image";case"a":return has(el,"href")||has(el,"xlink:href")?"link":"generic";case"title":case"desc":case"defs":case"symbol":case"style":case"script":
return"none";case"g":return svgNamed(el)?"group":"none";case"text":case"foreignObject":return"generic";case"image":return svgNamed(el)?"image":"none"}return svgNamed(el)?"graphics-symbol":"none"}var svgNamed=el=>has(
el,"aria-label")||has(el,"aria-labelledby")||has(el,"tabindex")||Boolean(svgTitle(el));var svgSpeaks=el=>Boolean(queryIn(el,"text, a, foreignObject, [role], [aria-label], [tabindex], :not(symbol) > ti\
tle:not(:scope > title)"));function svgTitle(el){for(let e=firstElementChild(el);e;e=nextElementSibling(e))if(tagOf(e)==="title"&&namespaceOf(e)===SVG)return rawText(e);return""}function tableRole(el,tag){
const table=tag==="table"?el:closest(el,"table");const kind=table?tableKind(table):"generic";if(kind==="none"||kind==="generic")return tag==="td"||tag==="th"?"generic":kind;const layout=kind==="Layout\
Table";switch(tag){case"table":return kind;case"thead":case"tfoot":return layout?"none":"rowgroup";case"tbody":return"none";case"tr":return layout?"LayoutTableRow":"row";case"th":return layout?"Layout\
TableCell":headerRole(el)}return layout?"LayoutTableCell":kind==="grid"||kind==="treegrid"?"gridcell":"cell"}function headerRole(el){const scope=attrOf(el,"scope").toLowerCase();if(scope==="row"||scope===
"rowgroup")return"rowheader";if(scope==="col"||scope==="colgroup")return"columnheader";const row=parentNode(el);if(row&&closest(row,"thead"))return"columnheader";for(let e=row&&firstElementChild(row);e;e=
nextElementSibling(e))if(tagOf(e)==="td")return"rowheader";return"columnheader"}function tableKind(table){let kind=pass.tables.get(table);if(kind)return kind;const role=has(table,"role")?ariaRole(table):
null;kind=role?["table","grid","treegrid","none"].includes(role)?role:"generic":isDataTable(table)?"table":"LayoutTable";pass.tables.set(table,kind);return kind}function isDataTable(table){if(isContentEditable(
table))return true;if(has(table,"summary")||has(table,"rules")||Number(attr(table,"border"))>0)return true;for(let e=firstElementChild(table);e;e=nextElementSibling(e))if(["caption","thead","tfoot","c\
ol","colgroup"].includes(tagOf(e)))return true;let rows=0,cells=0,bordered=0;for(const row of queryAllIn(table,":scope > tbody > tr, :scope > tr")){if(++rows>=20)return true;for(let cell=firstElementChild(
row);cell;cell=nextElementSibling(cell)){if(tagOf(cell)==="th"||has(cell,"headers")||has(cell,"scope")||has(cell,"abbr"))return true;if(++cells>40)continue;const style=styleOf(cell);if(style.borderTopWidth!==
"0px"||style.borderLeftWidth!=="0px")bordered++}}return cells>1&&bordered*2>=Math.min(cells,40)}var MOST_DRAGGED=200;var WIDEST=50;var dragged=`[draggable=true], [aria-grabbed], [aria-roledescription*=sortable i],
  [aria-roledescription*=draggable i],
  [data-rbd-draggable-id], [data-rfd-draggable-id], .ui-draggable, .ui-sortable-handle, .cdk-drag`;var places=`[aria-dropeffect]:not([aria-dropeffect=none]), [ondrop], [ondragover], [data-rbd-droppabl\
e-id],
  [data-rfd-droppable-id],
  .ui-droppable, .ui-sortable, .cdk-drop-list`;var heldIn=set("region list listitem group row");function dropZones(root){if(!root||!queryIn(root,dragged))return null;const zones=new Set(queryAllIn(root,
places)),seen2=new Set;for(const el of Array.prototype.slice.call(queryAllIn(root,dragged),0,MOST_DRAGGED)){for(let box2=parentOf(el),up=0;box2&&up<3&&!seen2.has(box2)&&tagOf(box2)!=="body";box2=parentOf(
box2),up++){seen2.add(box2);const like=sameBeside(box2);for(const other of like)zones.add(other);if(like.length)break}}return zones}function isZone(el,role){if(anyTaking&&taking.has(el))return true;return walking.
zones!==null&&(heldIn.has(role)||walking.zones.has(el))}function sameBeside(el){const same=[],up=parentOf(el),tag=tagOf(el),kind=attr(el,"class");for(let other=up&&firstElementChild(up),n=0;other&&n<WIDEST;other=
nextElementSibling(other),n++){if(tagOf(other)===tag&&attr(other,"class")===kind)same.push(other)}return same.length>1?same:[]}var listening=new WeakSet;var taking=new WeakSet;var anyListening=false;var anyTaking=false;
var MOST_INSIDE=40;var MOST_IN_ZONE=2e3;function markListeners(kinds,all){let news=false;all.forEach((el,i)=>{if(!(el instanceof Element)||el.ownerDocument!==doc||tagOf(el)==="body"||tagOf(el)==="html")
return;if(kinds[i]==="d"){if(taking.has(el)||byTagIn(el,"*").length>MOST_IN_ZONE)return;taking.add(el);anyTaking=news=true;return}for(const one of listenersFor(el)){if(listening.has(one)||byTagIn(one,
"*").length>MOST_INSIDE||isActedOn(one,roleOf(one)))continue;listening.add(one);anyListening=news=true}});if(news)bump();return news}function listenersFor(el){if(tagOf(el)==="tr")return[el];const items=itemsOf(
el,false);if(items.length)return items;const marked=[];const look=(up,levels)=>{for(let e=firstElementChild(up);e;e=nextElementSibling(e)){const found=itemsOf(e,true);marked.push(...found);if(!found.length&&
levels>1)look(e,levels-1)}};look(el,3);return marked.length?marked:[el]}var FEWEST_ITEMS=3;var FEWEST_MARKED=5;function itemsOf(el,marked){const items=[];let tag="",kind="";for(let n=firstChild(el);n;n=
nextSibling(n)){if(nodeType(n)===TEXT&&!isBlank(dataOf(n)))return[];if(!isElement(n)||!isHTML(n))continue;const first=words(attr(n,"class"))[0]||"";if(!items.length)[tag,kind]=[tagOf(n),first];if(tagOf(
n)!==tag||first!==kind||marked&&!attributeNames(n).some(name=>name.startsWith("data-")))return[];items.push(n)}return items.length>=(marked?FEWEST_MARKED:FEWEST_ITEMS)?items:[]}var listensForOthers=set(
`main navigation banner contentinfo complementary form region search dialog alertdialog tabpanel
  application document toolbar menubar radiogroup feed log`);var hasListener=(el,role)=>anyListening&&listening.has(el)&&!listensForOthers.has(role)&&!spreading.has(role)&&!styleOf(el).cursor.endsWith(
"resize");var isWrapper=(el,role,n)=>hasListener(el,role)&&(n.c??[]).every(c=>c.a)&&!isActedOn(el,role)&&styleOf(el).cursor!=="pointer";var dissolved=set(`generic none paragraph LayoutTable LayoutTableRow LayoutTableCell LineBreak Legend Figcaption caption
  strong emphasis mark insertion deletion subscript superscript code time Abbr Ruby term definition DescriptionList
  rowgroup LabelText SvgRoot suggestion MathMLMath MathMLIdentifier MathMLNumber MathMLOperator MathMLRow MathMLFraction
  MathMLSquareRoot MathMLSup MathMLSub MathMLText`);var onlyNamed=set("image group figure Canvas article blockquote separator sectionheader sectionfooter document note");var structure=set("table row c\
ell gridcell columnheader rowheader list listitem grid rowgroup");var leaves=set(`button checkbox columnheader cell DisclosureTriangle gridcell heading image link listitem menuitem
  menuitemcheckbox menuitemradio meter option progressbar radio row rowheader scrollbar separator slider spinbutton
  switch tab
  textbox searchbox tooltip treeitem Canvas graphics-symbol`);var looseNames=set("row cell gridcell columnheader rowheader listitem");var solid=set(`button checkbox DisclosureTriangle link menuitem me\
nuitemcheckbox menuitemradio option radio scrollbar searchbox
  slider spinbutton switch textbox`);var spreading=set("list table grid treegrid rowgroup LayoutTable DescriptionList tree listbox menu tablist tbody thead tfoot");var handled=set(`row cell gridcell c\
olumnheader rowheader listitem image group figure Canvas article blockquote heading
  sectionheader sectionfooter note graphics-symbol status`);var DEEPEST=400;var walking=null;function walk(options){const limit=options.limit||2e4;const root=options.root===void 0?documentElement(doc):
elementFor(options.root);walking={left:limit,until:options.time?performance.now()+options.time:0,missing:0,out:[],buffer:"",depth:0,flat:Boolean(options.flat),active:deepActive(),closed:[],controls:[],
hosts:[],acted:0,menus:0,zones:dropZones(root),pre:false,hush:0,modal:topModal()};observe(doc);scopeOf(doc);let node2=null;if(root&&options.root===void 0){const page={r:"RootWebArea",i:idFor(root),n:collapse(
titleOf(doc)),u:location.href};if(typeOf(doc)==="application/pdf")page.d="a PDF, whose text is not in the page: look at it with take_screenshot";const start=walking.modal||root;fill(page,()=>start===root?
children(start,false,false):element(start,false,false));node2=page}else if(root){element(root,false,false,true);flush();node2=walking.out[0]||null}const w=walking;walking=null;if(options.root===void 0)
remember(w);return{v:currentVersion(),t:titleOf(doc),u:location.href,n:node2,k:w.closed,m:w.missing||void 0}}function deepActive(){if(pass.active===void 0)pass.active=findActive();return pass.active}function findActive(){
let el=activeIn(doc);for(let root=el&&shadowOf(el);el&&root;root=shadowOf(el)){const inner=activeInShadow(root);if(!inner)break;el=inner}return el===bodyOf(doc)?null:el}function fill(node2,work){const saved=walking.
out;walking.out=[];work();flush();if(walking.out.length)node2.c=walking.out;walking.out=saved}function flush(){if(walking.buffer==="")return;const text=walking.pre?walking.buffer.replace(/\s+$/,""):collapse(
walking.buffer);walking.buffer="";if(text&&/[^\s\u200b\ue000-\uf8ff]/.test(text)&&take())walking.out.push({r:"text",x:text})}function take(){if(walking.left>0){if(walking.until===0||(walking.left&255)!==
0||performance.now()<walking.until)return--walking.left>=0;walking.left=0}walking.missing++;return false}function children(el,inside,pointer,unseen=false){if(walking.depth>DEEPEST||walking.left<=0){walking.
missing+=byTagIn(el,"*").length;return}walking.depth++;let looked=false,style=null,readable=!walking.hush&&!unseen;const details=isClosed(el);for(const node2 of kidsOf(el)){const type=nodeType(node2);
if(type===TEXT){if(!readable||details)continue;const data=dataOf(node2);if(!looked&&!isBlank(data)){looked=true;readable=isReadable(el);if(!readable)continue;if(allSheets().transforms)style=styleOf(el)}
walking.buffer+=transformed(data,style)}else if(type===ELEMENT&&!(details&&tagOf(node2)!=="summary")){element(node2,inside,pointer)}}walking.depth--}function element(el,inside,pointer,forced=false){const tag=tagOf(
el);if(tag==="br")return flush();if(notThere.has(tag)&&isHTML(el))return;if(!forced&&isSpecial(el)&&(isAriaHidden(el)||has(el,"inert")||attr(el,"hidden")==="until-found"))return skip(el);if(checkVisibility(
el,SEEN))return visible(el,tag,inside,pointer,forced);if(!checkVisibility(el,VISIBLE)){if(isRendered(el))return visible(el,tag,inside,pointer,forced);if(!walking.hush&&holdsMenu(el))walking.menus++;if(forced||
!checkVisibility(el))return skip(el);return children(el,inside,pointer,true)}if(isFading(el))return visible(el,tag,inside,pointer,forced);walking.hush++;visible(el,tag,inside,pointer,forced);walking.hush--}
function visible(el,tag,inside,pointer,forced){if(walking.left<=0){walking.missing+=1+byTagIn(el,"*").length;return}lookForClosedRoot(el,tag);let role=roleOf(el);let acts=isActedOn(el,role);if(!inside&&
drawn.has(tag)&&isHTML(el)){acts=true;if(role==="none"||role==="generic")role=drawn.get(tag)??role}if(role==="LabelText"||tag==="label")return label(el,inside,pointer);if(!acts&&!inside&&!pointer&&handled.
has(role)&&styleOf(el).cursor==="pointer")acts=true;if(!acts&&!inside&&hasListener(el,role))acts=true;const zone=isZone(el,role);if(!acts&&!forced&&!zone&&!(role==="MathMLMath"&&nameOf(el))&&(dissolved.
has(role)||walking.flat&&structure.has(role)))return box(el,tag,role,inside,pointer);node(el,tag,role,acts,inside,pointer)}var drawn=new Map([["canvas","Canvas"],["video","Video"],["audio","Audio"]]);
function skip(el){const files=scopeOf(rootOf(el)).hiddenFiles.get(el);for(const input of files||[])hiddenFile(input)}var holdsMenu=el=>firstElementChild(el)!==null&&queryIn(el,"a[href], button, [role=\
menuitem]")!==null;function opens(out,from,menus,acted2){if(walking.menus===menus||walking.acted!==acted2||out.length===from)return false;let length=0;for(let i=from;i<out.length;i++){if(out[i].r!=="t\
ext")return false;length+=out[i].x?.length??0}return length<=100}function hiddenFile(input){if(walking.modal&&!isInside(input,walking.modal))return;flush();if(!take())return;const states=statesOf(input,
"button",walking.active);states.hidden=true;const n={i:idFor(input),r:"button",n:nameOf(input)||void 0,v:valueOf(input,"button"),a:1,s:states};walking.out.push(n);walking.controls.push(input)}function box(el,tag,role,inside,pointer){
const style=styleOf(el),display=style.display;const hushes=hidesItsText(el,style,display);const hand=!inside&&style.cursor==="pointer"&&(pointer||!(spreading.has(role)||spreading.has(tag)));if(hushes)
walking.hush++;if(hand&&!pointer&&tag!=="body"&&tag!=="html"){node(el,tag,role,true,inside,true)}else if(display==="inline"||display==="contents"||display==="block math"){if(tag==="q")walking.buffer+=
"“";children(el,inside,hand);if(tag==="q")walking.buffer+="”"}else if(display.startsWith("inline")||display==="ruby"){walking.buffer+=" ";children(el,inside,hand);walking.buffer+=" "}else{block(el,
tag,role,inside,hand)}if(hushes)walking.hush--}function block(el,tag,role,inside,hand){flush();const was=walking.pre,{menus,acted:acted2,out}=walking,from=out.length;walking.pre||=tag==="pre";children(
el,inside,hand);flush();walking.pre=was;if(walking.menus!==menus&&!inside&&tag!=="body"&&opens(out,from,menus,acted2)){out.push({i:idFor(el),r:role,a:1,n:textOf({r:role,c:out.splice(from)})});walking.
acted++}}function label(el,inside,pointer){const hidden=inside?null:hiddenControl(el);if(hidden)return node(el,"label","LabelText",true,inside,pointer);const control=el instanceof HTMLLabelElement?labelControl(
el):null;flush();const from=walking.out.length;children(el,inside,true);flush();if(!control||!isShown(control))return;const name=nameOf(control);const kept=walking.out.splice(from).filter(n=>!(n.r==="\
text"&&name.includes(n.x??"")));walking.out.push(...kept)}function node(el,tag,role,acts,inside,pointer){const loose=looseNames.has(role);if(isControl(el,tag)&&isUnseen(el,tag,role))return;const name=loose&&
!isSpecial(el)?"":role==="LabelText"?textOfLabel(el):shownName(el,role,acts);flush();if(!take()){walking.missing+=byTagIn(el,"*").length;return}const n={i:idFor(el),r:role==="none"?"generic":role};if(acts)
n.a=1;if(tag==="iframe"||tag==="frame")n.f=1;const value=valueOf(el,role);const before=walking.acted,menus=walking.menus;const complete=hasNoInside(el,tag,role,value,leaves.has(role)?name:"");if(!complete)
fill(n,()=>content(el,tag,role,inside||acts&&solid.has(role),pointer));const busy=walking.acted>before;if(!acts&&!inside&&mayBeActedOn(el,role)&&(n.c||name)&&!isOneAct(n))acts=Boolean(n.a=1);if(!acts&&
!inside&&role==="listitem"&&n.c&&opens(n.c,0,menus,before))acts=Boolean(n.a=1);if(isZone(el,role))n.a=1;if(acts&&dissolved.has(role)&&n.c&&isWrapper(el,role,n))return dissolve(n);if(acts&&role==="gene\
ric"&&n.c?.length===1&&!isActedOn(el,role)&&!isZone(el,role)&&standsFor(n.c[0]))return dissolve(n);if(role==="row"&&n.a&&n.c?.some(c=>c.a&&looseNames.has(c.r)))acts=Boolean(n.a=void 0);if(n.a||n.f)walking.
acted++;settleName(el,n,role,name,busy,loose,acts);if(!n.c&&!n.n&&!n.f&&(n.a?isSpeck(el,role):onlyNamed.has(role)))return giveBack();if(onlyNamed.has(role)&&!n.n&&!n.a&&role!=="image")return dissolve(
n);if(role==="listitem"&&!n.n&&!n.a&&n.c?.length===1)return dissolve(n);const description=descriptionOf(el,n.n||"");if(description&&description!==n.n)n.d=description;if(value!==void 0&&value!=="")n.v=
value;const url=urlOf(el,tag);if(url)n.u=url;const states=statesOf(el,role,walking.active);if(acts&&typedIntoOnly(el,role))states.editable=true;if(n.n&&anyCounted&&counted.has(el))states.text=countedName(
el);else if(n.a&&!n.c&&n.n&&value===void 0)states.text=otherText(el,n.n);if(n.a&&!n.c&&!n.n&&!url&&!n.d&&!value&&!looseNames.has(role))states.class=lookOf(el);if(!isEmpty(states))n.s=states;if(isControl(
el,tag))walking.controls.push(el);if(value!==void 0&&tag==="input"&&inputType(el)==="file"&&!checkVisibility(el,OPAQUE))(n.s||={}).hidden=true;walking.out.push(n)}var isOneAct=n=>n.c?.length===1&&Boolean(
n.c[0].a);function standsFor(only){if(isIcon(only))only.a=1;if(only.a)walking.acted++;return Boolean(only.a)}var giveBack=()=>void walking.left++;var isControl=(el,tag)=>(tag==="input"||tag==="textare\
a"||tag==="select")&&isHTML(el);function isEmpty(object){for(const _ in object)return false;return true}function dissolve(n){giveBack();if(n.c)walking.out.push(...n.c)}function hasNoInside(el,tag,role,value,name){
if(tag==="input"||tag==="textarea"||tag==="iframe"||tag==="frame"||tag==="img"||tag==="option")return true;if(value!==void 0&&typedInto.has(role)&&!firstElementChild(el))return true;return Boolean(name)&&
!firstElementChild(el)&&!pass.owning&&!shadowOf(el)&&!isSlot(el)}function content(el,tag,role,inside,pointer){if(tag==="svg"){if(svgSpeaks(el))children(el,inside,pointer);return}if(tag==="audio"||tag===
"video"||tag==="canvas"||tag==="object")return;if(tag==="select"&&isTiny(el))return;const style=styleOf(el);const hushes=hidesItsText(el,style,style.display);if(hushes)walking.hush++;children(el,inside,
pointer||!inside&&style.cursor==="pointer"&&!spreading.has(role));if(hushes)walking.hush--}function settleName(el,n,role,name,busy,loose,acts){if(role==="row"&&n.c?.some(c=>c.r!=="text")){name=hasAuthorName(
el)?name:""}else if(leaves.has(role)&&!busy){if(loose&&!name)name=n.c?.some(c=>c.r!=="text")?"":textOf(n);if(name)giveBackAll(n)}else if(loose&&!attrOf(el,"aria-label")&&!has(el,"aria-labelledby")){name=
""}else if(!name&&acts&&n.c?.every(c=>c.r==="text"||isIcon(c))){name=textOf(n);giveBackAll(n)}if(name)n.n=name;if(n.c&&name)dropEcho(n,name)}function dropEcho(n,name){const all=n.c??[];const kept=all.
filter(c=>n.r==="LabelText"?!c.x||!name.includes(c.x):c.x!==name);walking.left+=all.length-kept.length;n.c=kept.length?kept:void 0}var textOf=n=>(n.c||[]).map(c=>c.x||c.n||"").join(" ").trim();var isIcon=n=>n.
r==="image"&&!n.a&&!n.c;function giveBackAll(n){if(!n.c)return;walking.left+=n.c.length;n.c=void 0}function urlOf(el,tag){let url="";if(tag==="a")url=isHTML(el)?hrefOf(el):resolved(attr(el,"href")||attr(
el,"xlink:href"));else if(tag==="area"&&isHTML(el))url=areaHref(el);else if(tag==="img"&&isHTML(el))url=imageSrc(el);return url.startsWith("data:")?"":url}var plainPath=/^\/(?![/.])(?:[\w~:@!$&*+,;=-]|\/(?![/.])|\.)*(?:\?[\w~:@!$&*+,;=/?.-]*)?(?:#[\w~:@!$&*+,;=/?.-]*)?$/;
function hrefOf(el){const href=attr(el,"href");if(href===null)return"";if(!plainPath.test(href))return anchorHref(el);if(pass.site===void 0)pass.site=baseURI(doc).startsWith(location.origin+"/")?location.
origin:"";return pass.site?pass.site+href:anchorHref(el)}function resolved(url){try{return url?new URL(url,baseURI(doc)).href:""}catch{return url??""}}function descriptionOf(el,name){if(!isSpecial(el))return"";let text=referenced(el,"aria-describedby",describedByElements).map(contentOfReference).filter(Boolean).join(" ");text||=attrOf(el,"aria-descr\
iption").trim();text||=collapse(attrOf(el,"title"));return text===name?"":text}function valueOf(el,role){if(!controls.has(role))return void 0;if(isInput(el))return valueOfInput(el,inputType(el));if(el instanceof
HTMLTextAreaElement)return areaValue(el);if(el instanceof HTMLSelectElement)return role==="combobox"?Array.from(selectedOptions(el),optionText).join(", "):void 0;if(measured.has(role))return measuredValue(
el)||attr(el,"aria-valuenow")||void 0;if(isEditable(el)&&(typedInto.has(role)||role==="combobox"))return collapse(rawText(el));return void 0}var concealed=new WeakSet;function fieldKind(el){if(!isInput(
el))return"";return sensitive.field(attrOf(el,"type"),attrOf(el,"autocomplete"),attrOf(el,"name"),attrOf(el,"id"))}function hides(el){if(!isInput(el))return false;if(concealed.has(el))return true;let hidden=pass?
pass.hiding.get(el):void 0;if(hidden===void 0){hidden=sensitive.hidden(fieldKind(el))||isDots(el);if(pass)pass.hiding.set(el,hidden);if(hidden)concealed.add(el)}return hidden}function isDots(el){return typedTypes.
has(inputType(el))&&inputValue(el)!==""&&!/^(none)?$/.test(getComputedStyle(el).webkitTextSecurity)}var typedTypes=set("text search tel url email number");function valueOfInput(el,type){if(hides(el))return void 0;
switch(type){case"password":case"hidden":case"checkbox":case"radio":case"button":case"submit":case"reset":case"image":return void 0;case"file":return inputValue(el).replace(/^.*[\\/]/,"")||"No file ch\
osen"}return inputValue(el)}var checkable=set("checkbox radio switch menuitemcheckbox menuitemradio option treeitem");var popups=set("menu listbox tree grid dialog");var politeness=new Map(Object.entries(
{alert:"assertive",status:"polite",log:"polite"}));function statesOf(el,role,active){const s={};if(el===active)s.focusable=s.focused=true;const html=isHTML(el),tag=tagOf(el);if(role==="heading")s.level=
Number(attr(el,"aria-level"))||Number(/^h([1-6])$/.exec(tag)?.[1])||2;if(controls.has(role)||typedInto.has(role)){if(isDisabled(el))s.disabled=true;if(html)controlStates(el,role,tag,s)}const parent=parentNode(
el);if(tag==="summary"&&role==="DisclosureTriangle"&&parent)expands(s,has(parent,"open"));const polite=politeness.get(role);if(polite)liveStates(role,polite,s);if(tag==="dialog"&&el===topModal())s.modal=
true;if(mayHaveStates(el))ariaStates(el,role,s);return s}function expands(s,open){s.expandable=true;if(open)s.expanded=true}function controlStates(el,role,tag,s){if(tag==="input"&&isInput(el))inputStates(
el,role,inputType(el),s);else if(tag==="textarea")s.multiline=true;else if(tag==="option"&&el instanceof HTMLOptionElement&&optionSelected(el))s.selected=true;else if(tag==="select"){if(role==="combob\
ox"){expands(s,false);s.haspopup="menu"}else{s.orientation="vertical"}if(has(el,"multiple"))s.multiselectable=true}else if(tag==="progress"||tag==="meter"){s.valuemin=Number(attr(el,"min"))||0;s.valuemax=
Number(attr(el,"max"))||1}if(tag==="input"||tag==="textarea"||tag==="select"){if(has(el,"required"))s.required=true;if(has(el,"readonly"))s.readonly=true;if(matches(el,":user-invalid"))s.invalid=whyInvalid(
el,tag)}}function whyInvalid(el,tag){return(tag==="input"?inputFault:tag==="select"?selectFault:areaFault)(el)||"true"}function inputStates(el,role,type,s){if(type==="checkbox"||type==="radio"){if(inputIndeterminate(
el))s.checked="mixed";else if(inputChecked(el))s.checked=true}else if(type==="range"){s.orientation="horizontal";s.valuemin=Number(attr(el,"min"))||0;s.valuemax=has(el,"max")?Number(attr(el,"max")):100}else if(type===
"number"){if(has(el,"min"))s.valuemin=Number(attr(el,"min"));if(has(el,"max"))s.valuemax=Number(attr(el,"max"))}else if(type==="file"){if(has(el,"multiple"))s.multiselectable=true}else if(role==="comb\
obox"&&has(el,"list")){s.autocomplete="list";s.haspopup="menu"}}function liveStates(role,polite,s){s.live=polite;if(role!=="log")s.atomic=true;s.relevant="additions text"}function ariaStates(el,role,s){
if(attr(el,"aria-disabled")==="true")s.disabled=true;if(attr(el,"aria-busy")==="true")s.busy=true;if(attr(el,"aria-required")==="true")s.required=true;if(attr(el,"aria-readonly")==="true")s.readonly=true;
if(attr(el,"aria-selected")==="true")s.selected=true;if(attr(el,"aria-multiselectable")==="true")s.multiselectable=true;if(attr(el,"aria-multiline")==="true")s.multiline=true;if(attr(el,"aria-modal")===
"true")s.modal=true;if(has(el,"aria-expanded"))expands(s,attr(el,"aria-expanded")==="true");const checked=checkable.has(role)&&!isInput(el)&&attr(el,"aria-checked");if(checked==="true")s.checked=true;
if(attr(el,"aria-checked")==="mixed"&&checkable.has(role))s.checked="mixed";const pressed=attr(el,"aria-pressed");if(pressed==="true")s.pressed=true;if(pressed==="mixed")s.pressed="mixed";const popup=attr(
el,"aria-haspopup");if(popup&&popup!=="false")s.haspopup=popups.has(popup)?popup:"menu";const invalid=attr(el,"aria-invalid");if(invalid&&invalid!=="false")s.invalid=invalid;const live=attr(el,"aria-l\
ive");if(live&&live!=="off")s.live=live;const sort=attr(el,"aria-sort");if(sort==="ascending"||sort==="descending")s.sort=sort;const current=attr(el,"aria-current");if(current&&current!=="false")s.current=
current;for(const name of["level","valuemin","valuemax","valuetext","autocomplete","orientation","roledescription","keyshortcuts"]){const value=attr(el,"aria-"+name);if(value)s[name]=value}}var typedIntoOnly=(el,role)=>!typedInto.
has(role)&&role!=="combobox"&&isSpecial(el)&&isEditable(el);var acted=set(`button checkbox ColorWell combobox Date DateTime DisclosureTriangle InputTime link listbox menuitem
  menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem`);function isEditable(el){return has(el,"contenteditable")&&el instanceof HTMLElement&&isContentEditable(
el)}function isActedOn(el,role){if(acted.has(role))return true;if(!isSpecial(el))return false;if(has(el,"onclick")||attr(el,"draggable")==="true"||isEditable(el)||isNativeControl(el))return true;if(!has(
el,"tabindex"))return false;const index=parseInt(attrOf(el,"tabindex"),10);return index>=0?!isScrollerOnly(role):index<0&&reachedByArrows.has(role)}var reachedByArrows=set("gridcell columnheader rowhe\
ader row cell");var nativeControls=set("button input select textarea");function isNativeControl(el){const tag=tagOf(el);return isHTML(el)&&(nativeControls.has(tag)?roleOf(el)!=="none":tag==="a"&&has(el,
"href"))}function mayBeActedOn(el,role){if(role==="gridcell")return true;return(role==="columnheader"||role==="rowheader")&&has(el,"aria-sort")}var isScrollerOnly=role=>role==="dialog"||role==="alertd\
ialog"||role==="tabpanel"||role==="main";function hiddenControl(label2){const control=label2 instanceof HTMLLabelElement?labelControl(label2):null;if(!control)return null;if(!isRendered(control))return control;
if(!checkVisibility(control,OPAQUE))return control;const r=rectOf(control);return r.width<=1||r.height<=1||r.right+scrollX<=0?control:null}function isSpeck(el,role){if(role!=="generic"&&role!=="none")
return false;const r=rectOf(el),least=hasListener(el,role)&&styleOf(el).cursor!=="pointer"?10:3;return r.width<least||r.height<least||byTagIn(el,"*").length>MOST_IN_ICON}var MOST_IN_ICON=12;function isTiny(el){
const r=rectOf(el),style=styleOf(el);return r.width<=4||r.height<=4||hidesItsText(el,style,style.display)}function isUnseen(el,tag,role){if(tag==="select")return attr(el,"tabindex")==="-1"&&(walking.hush>
0||isTiny(el));return role==="textbox"&&has(el,"readonly")&&walking.hush>0&&el!==walking.active}function lookOf(el){const names=[];for(let e=el,n=0;e&&n<3;e=firstElementChild(e),n++){let best="";for(const name of words(
attr(e,"class")).concat(signs.map(sign=>attrOf(e,sign)))){if(name.length<=40&&/[a-z]{3}/i.test(name)&&!/^(css|sc|jsx|svelte)-|\d{3}/.test(name)&&weight(name)>weight(best))best=name}if(best&&!names.includes(
best))names.push(best)}return names.length?names.slice(-2).join(" "):void 0}var signs=["data-direction","data-action","data-icon","data-testid"];var telling=new RegExp("icon|arrow|prev|next|clos|clear\
|remove|delete|trash|edit|expand|collaps|toggle|switch|menu|search|control|left|right|up|down|add|plus|minus","i");var weight=name=>name===""?0:name.length+(telling.test(name)?100:0);var namedByContent=set(`button cell checkbox columnheader DisclosureTriangle doc-backlink doc-biblioref doc-glossref
  doc-noteref gridcell heading LayoutTableCell link math menuitem menuitemcheckbox menuitemradio option radio
  rowheader switch
  tab term tooltip treeitem`);var silentInside=set(`alert alertdialog application article Audio banner blockquote combobox complementary contentinfo
  dialog document feed figure form grid group Iframe image listbox log main marquee menu menubar navigation note
  PluginObject
  progressbar radiogroup MathMLMath row rowgroup scrollbar search sectionheader separator status table tablist
  tabpanel timer
  toolbar tree treegrid Video`);var titleIsNoName=set(`code deletion emphasis generic insertion LineBreak mark none paragraph strong subscript suggestion
  superscript time caption definition`);var controls=set(`button checkbox ColorWell combobox Date DateTime InputTime listbox menuitem menuitemcheckbox
  menuitemradio meter option progressbar radio scrollbar searchbox slider spinbutton switch tab textbox`);var typedInto=set("textbox searchbox");var measured=set("slider spinbutton progressbar meter s\
crollbar");function collapse(text){if(/[\t\n\r\f]| {2}/.test(text))text=text.replace(/[ \t\n\r\f]+/g," ");const from=text.charCodeAt(0)===SPACE?1:0,to=text.length-(text.length>from&&text.charCodeAt(text.
length-1)===SPACE?1:0);return from===0&&to===text.length?text:text.slice(from,to)}var SPACE=32;var setOff=false;var said=null;var naming=null;var say=label2=>(said||=new Set).add(label2);function nameOf(el){
let name=pass.names.get(el);if(name===void 0){const others=said,other=naming;said=null;naming=el;pass.names.set(el,name=collapse(alternative(el,ROOT)));said=others;naming=other}return name}function shownName(el,role,acts){
let name=nameOf(el);if(/[\ue000-\uf8ff]/.test(name))name=collapse(name.replace(/[\ue000-\uf8ff]/g," "));if(acts&&namedByContent.has(role)&&name.includes("-")&&firstElementChild(el))name=withoutIcons(el,
name);if(!name&&acts&&controls.has(role)&&rootOf(el)instanceof ShadowRoot)name=labelText(rootOf(el).host)||"";return name}var iconWords=/^[a-z]+(-[a-z]+)+$/;function withoutIcons(el,name){for(const icon of queryAllIn(
el,"[role=img][class*=icon i][aria-label]")){const word=attrOf(icon,"aria-label");if(iconWords.test(word))name=collapse(` ${name} `.replace(` ${word} `," "))||name}return name}function otherText(el,name){
if(isInput(el)||!(tagOf(el)==="button"&&labelsOf(el))&&!(isSpecial(el)&&(has(el,"aria-label")||has(el,"aria-labelledby"))))return void 0;const text=collapse(contentOf(el,INSIDE));if(!text||text.length>
LONGEST_TEXT||!/[\p{L}\p{N}]/u.test(text)||/^[a-z_]+$/.test(text)||iconWords.test(text))return void 0;return name.toLowerCase().includes(text.toLowerCase())?void 0:text}var LONGEST_TEXT=60;var textIn=el=>collapse(
alternative(el,REFERRED,true));var ROOT={inside:false,referred:false,hidden:false};var INSIDE={inside:true,referred:false,hidden:false};var INSIDE_REFERENCE={inside:true,referred:false,hidden:false,reference:true};
var LABEL={inside:true,referred:true,hidden:false,label:true};var INSIDE_LABEL={inside:true,referred:false,hidden:false,reference:true,label:true};var REFERRED={inside:true,referred:true,hidden:false};
var REFERRED_HIDDEN={inside:true,referred:true,hidden:true};var depth=0;function beginNames(){depth=0;asking=null}function alternative(el,how,first=false){if(depth>60)return"";depth++;setOff=true;let text=ownName(
el,how,first);if(text===null)text=contentOrTitle(el,how,first);else setOff=true;depth--;return text}function contentOrTitle(el,how,first){const role=roleOf(el);let text="";const speaking=first||speaks(
el,role,how);if(speaking)text=contentOf(el,how);setOff=false;if(!isBlank(text)||!isSpecial(el)||!has(el,"title"))return text;if(titleIsNoName.has(role)&&!first)return text;const title=attrOf(el,"title");
if(isBlank(title))return text;setOff=true;return title}function speaks(el,role,how){if(namedByContent.has(role))return!(isInput(el)||role==="heading"&&!how.inside&&isEditable(el));if((role==="row"||role===
"rowgroup")&&how.reference)return true;if(role==="row")return!how.inside&&within(el,"grid","treegrid","rowgroup")&&isGridRow(el);if(!how.inside)return false;if(role==="group")return["details","address"].
includes(tagOf(el));if(role==="contentinfo")return tagOf(el)==="footer";return!silentInside.has(role)}function isGridRow(el){for(let e=parentOf(el);e;e=parentOf(e)){const role=roleOf(e);if(role==="gri\
d"||role==="treegrid")return true;if(role==="table")return false}return false}function ownName(el,how,first){const plain=!isSpecial(el);if(!plain&&!how.referred&&(!how.reference||how.label)){const refs=references(
el);if(refs.length){const text=refs.map(contentOfReference).filter(Boolean).join(" ");if(text)return text}}const role=roleOf(el);if(how.inside&&controls.has(role)&&el!==naming){const value=embeddedValue(
el,role,first);if(value!==null)return value}if(!plain){const label2=attr(el,"aria-label");if(label2?.trim())return label2}if(role==="none"&&!how.inside)return null;const name=nativeName(el,role,how);return name===
null&&how.referred&&el===naming&&typedInto.has(role)?embeddedValue(el,role,first):name}function references(el){if(has(el,"aria-labelledby"))return labelledByElements(el)||[];if(!has(el,"aria-labeledby"))
return[];return idsIn(rootOf(el),attr(el,"aria-labeledby"))}function contentOfReference(ref){const saved=depth;if(tagOf(ref)==="label")say(ref);const text=collapse(alternative(ref,isRendered(ref)?REFERRED:
REFERRED_HIDDEN,true));depth=saved;return text}function embeddedValue(el,role,first){if(typedInto.has(role)){if(isInput(el))return hides(el)?"":inputValue(el);if(el instanceof HTMLTextAreaElement)return areaValue(
el);return null}if(role==="combobox"||role==="listbox"){if(el instanceof HTMLSelectElement)return Array.from(selectedOptions(el),optionText).join(" ");if(isInput(el))return hides(el)?"":inputValue(el);
const chosen=Array.from(queryAllIn(el,"[role=option][aria-selected=true]"),nameOf).join(" ");return chosen||(first?null:"")}if(measured.has(role)){const value=attr(el,"aria-valuetext")||attr(el,"aria-\
valuenow")||measuredValue(el);if(value!=="")return value;if(role==="progressbar")return null;return role==="slider"||role==="scrollbar"?"50":"0"}return null}function measuredValue(el){if(isInput(el))return inputValue(
el);if(el instanceof HTMLProgressElement)return progressPosition(el)<0?"":String(progressValue(el));if(el instanceof HTMLMeterElement)return String(meterValue(el));return""}var optionText=el=>optionLabel(
el)||collapse(rawText(el));function nativeName(el,role,how){const ns=namespaceOf(el);if(ns===SVG)return svgTitle(el)||attr(el,"xlink:title")||null;if(ns!==HTML)return null;if(typedInto.has(role)&&isSpecial(
el)&&has(el,"aria-placeholder")&&!has(el,"placeholder")&&!isInput(el))return titleOrPlaceholder(el);const tag=tagOf(el);switch(tag){case"span":case"div":case"a":return null;case"input":return inputName(
el);case"button":case"select":case"textarea":case"meter":case"progress":case"output":{const label2=labelText(el);if(label2!==null)return label2;return tag==="textarea"?titleOrPlaceholder(el):null}case"\
img":return has(el,"alt")?attr(el,"alt"):null;case"area":return attr(el,"alt")||null;case"option":return optionText(el);case"optgroup":return attrOf(el,"label");case"fieldset":return childText(el,"leg\
end",how);case"table":return childText(el,"caption",how)??attr(el,"summary");case"abbr":return how.inside?null:attr(el,"title")}return null}function childText(el,tag,how){for(let e=firstElementChild(el);e;e=
nextElementSibling(e)){if(tagOf(e)!==tag)continue;return isHiddenFromNames(e)&&!how.hidden?null:contentOf(e,INSIDE)}return null}function inputName(el){const type=inputType(el);const label2=labelText(el);
if(label2!==null)return label2;switch(type){case"submit":case"reset":return attr(el,"value")??(type==="submit"?"Submit":"Reset");case"button":return attr(el,"value")||null;case"image":return attr(el,"\
alt")||attr(el,"value")||attr(el,"title")||"Submit";case"file":return"Choose File";case"checkbox":case"radio":case"range":case"color":return null}return titleOrPlaceholder(el)}function titleOrPlaceholder(el){
return attr(el,"title")||attr(el,"placeholder")||attr(el,"aria-placeholder")||null}function labelText(el){let labels=labelsOf(el);const spoken=said;if(labels&&spoken)labels=labels.filter(label2=>!spoken.
has(label2));if(!labels?.length)return null;const saved=asking;asking=el;const texts=labels.filter(label2=>!isHiddenFromNames(label2)).map(label2=>collapse(alternative(label2,LABEL,true)));asking=saved;
return texts.filter(Boolean).join(" ")}function textOfLabel(label2){asking=label2 instanceof HTMLLabelElement?labelControl(label2):null;const text=textIn(label2);asking=null;return text}var asking=null;
function isHiddenFromNames(el){if(isSpecial(el)&&isAriaHidden(el))return true;if(isRendered(el))return false;const parent=parentOf(el);return!(parent&&tagOf(parent)==="canvas")}function contentOf(el,how){
const child=firstChild(el),shadow=shadowOf(el);const asDrawn=!how.hidden&&allSheets().transforms?styleOf(el):null;let text=how.hidden?"":generated(el,"::before");const inner=how.hidden?REFERRED_HIDDEN:
how.label?INSIDE_LABEL:how.referred||how.reference?INSIDE_REFERENCE:INSIDE;if(child&&!nextSibling(child)&&nodeType(child)===TEXT&&!pass.owning&&!shadow&&!isSlot(el)){text+=transformed(dataOf(child),asDrawn)}else{
const closed=isClosed(el),style=how.hidden?null:styleOf(el);for(const node2 of kidsOf(el)){const type=nodeType(node2);if(type===TEXT){if(!closed&&(!style||style.visibility==="visible"))text+=transformed(
dataOf(node2),asDrawn)}else if(type===ELEMENT&&node2!==asking&&!(closed&&tagOf(node2)!=="summary")){text+=part(node2,inner)}}}return how.hidden?text:text+generated(el,"::after")}var isClosed=el=>tagOf(
el)==="details"&&el instanceof HTMLDetailsElement&&!has(el,"open");function part(el,how){const tag=tagOf(el);if(tag==="br"||tag==="wbr")return" ";if(notThere.has(tag)&&isHTML(el))return"";if(!how.hidden){
if(isSpecial(el)&&isAriaHidden(el))return isRendered(el)&&styleOf(el).display==="block"?" ":"";if(isHiddenFromNames(el))return visiblePart(el,how)}if(tag==="label")say(el);const text=alternative(el,how);
const display=how.hidden?"inline":styleOf(el).display;if(text==="")return display==="block"||controls.has(roleOf(el))?" ":"";return setOff||display!=="inline"||controls.has(roleOf(el))?` ${text} `:text}
function visiblePart(el,how){if(!checkVisibility(el)||!firstElementChild(el))return"";let text="";for(const node2 of kidsOf(el))if(isElement(node2))text+=part(node2,how);return text}var isBlank=text=>!/[^ \t\n\r\f]/.
test(text);function rawText(el){let text="";for(let n=firstChild(el);n;n=nextSibling(n)){if(nodeType(n)===TEXT)text+=dataOf(n);else if(isElement(n))text+=rawText(n)}return text}function transformed(text,style){
if(!style)return text;switch(style.textTransform){case"uppercase":return text.toUpperCase();case"lowercase":return text.toLowerCase();case"capitalize":return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu,
(_,before,letter)=>before+letter.toUpperCase())}return text}var special=set("contenteditable draggable hidden inert onclick role tabindex title");var stateless=set("aria-controls aria-describedby aria-description aria-hidden aria-label aria-labeledby aria-labe\
lledby aria-owns");var SPECIAL=1;var STATES=2;var lastAsked=null;var lastKind=0;var isSpecial=el=>kindOf(el)!==0;var mayHaveStates=el=>(kindOf(el)&STATES)!==0;function kindOf(el){if(el===lastAsked)return lastKind;
lastAsked=el;if(!hasAttributes(el))return lastKind=0;let kind=pass?pass.kinds.get(el):void 0;if(kind===void 0){kind=0;for(const name of attributeNames(el)){if(special.has(name))kind|=SPECIAL;else if(name.
startsWith("aria-"))kind|=stateless.has(name)?SPECIAL:SPECIAL|STATES}if(pass)pass.kinds.set(el,kind)}return lastKind=kind}var lastId=0;var idOfElement=new WeakMap;var elementOfId=new Map;var forgetId=new FinalizationRegistry(
id=>elementOfId.delete(id));function idFor(el){let id=idOfElement.get(el);if(id===void 0){id=++lastId;idOfElement.set(el,id);elementOfId.set(id,new WeakRef(el));forgetId.register(el,id)}return id}function elementFor(id){
const el=elementOfId.get(id)?.deref();return el&&isConnected(el)?el:null}var adopted=new WeakMap;var anyAdopted=false;var asked=new WeakSet;function handIn(host,root){adopted.set(host,root);anyAdopted=
true;asked.add(host)}function shadowOf(el){const root=shadowRootOf(el)||anyAdopted&&adopted.get(el)||null;if(root){observe(root);if(pass)scopeOf(root)}return root}function parentOf(node2){const slot=isElement(
node2)?assignedSlot(node2):null;if(slot)return slot;const parent=parentNode(node2);if(!parent)return null;if(isElement(parent))return parent;return parent instanceof ShadowRoot?parent.host:null}var pass=null;
var newPass=()=>({kinds:new Map,roles:new Map,names:new Map,shown:new Map,scopes:new Map,tables:new Map,styles:new Map,inks:new Map,fading:new Map,hiding:new Map,owning:false});function during(work){if(pass)
return work();pass=newPass();beginNames();try{return work()}finally{pass=null;lastAsked=null}}function scopeOf(root){let scope=pass.scopes.get(root);if(scope)return scope;scope={labels:null,owned:new Map,
owners:new Map,hiddenFiles:new Map};pass.scopes.set(root,scope);for(const owner of queryAll(root,"[aria-owns]")){for(const el of idsIn(root,attr(owner,"aria-owns"))){if(scope.owned.has(el)||el===owner||
contains(el,owner))continue;scope.owned.set(el,owner);if(!scope.owners.has(owner))scope.owners.set(owner,[]);scope.owners.get(owner)?.push(el);pass.owning=true}}for(const input of queryAll(root,"input\
[type=file i]")){let cut=null;for(let el=input;el;el=parentOf(el))if(isAriaHidden(el)||!isRendered(el))cut=el;if(cut)scope.hiddenFiles.set(cut,[...scope.hiddenFiles.get(cut)||[],input])}return scope}function labelsOf(el){
const root=rootOf(el);const scope=scopeOf(root);if(!scope.labels){scope.labels=new Map;for(const label2 of queryAll(root,"label")){if(!(label2 instanceof HTMLLabelElement))continue;const control=labelControl(
label2);if(!control)continue;if(!scope.labels.has(control))scope.labels.set(control,[]);scope.labels.get(control)?.push(label2)}}return scope.labels.get(el)}var idsIn=(root,ids)=>words(ids).map(id=>byId(
root,id)).filter(el=>el!==null);function referenced(el,name,get){return has(el,name)&&get(el)||[]}var isSlot=el=>tagOf(el)==="slot"&&el instanceof HTMLSlotElement;function kidsOf(el){const kids=[];const slotted=isSlot(
el)?assignedNodes(el):null;if(slotted?.length)kids.push(...slotted);else for(let n=firstChild(shadowOf(el)||el);n;n=nextSibling(n))kids.push(n);return pass.owning?reowned(el,kids):kids}function reowned(el,kids){
const scope=scopeOf(rootOf(el));return kids.filter(n=>!scope.owned.has(n)).concat(scope.owners.get(el)||[])}var VISIBLE={visibilityProperty:true};var OPAQUE={opacityProperty:true};var SEEN={visibilityProperty:true,
opacityProperty:true};function styleOf(el){let style=pass.styles.get(el);if(!style)pass.styles.set(el,style=getComputedStyle(el));return style}function isFading(el){let fading=pass.fading.get(el);if(fading===
void 0){const parent=parentOf(el);fading=styleOf(el).opacity!=="0"?parent!==null&&isFading(parent):animationsOf(el).some(a=>a.playState==="running"&&a.effect&&a.effect.getComputedTiming().endTime!==Infinity);
pass.fading.set(el,fading)}return fading}function isRendered(el){if(checkVisibility(el,VISIBLE))return true;const tag=tagOf(el);if(tag==="option"||tag==="optgroup"){const select=closest(el,"select");return select!==
null&&isRendered(select)}if(tag==="area")return isUsedArea(el);const style=getComputedStyle(el);if(style.display!=="contents"||style.visibility!=="visible")return false;const parent=parentOf(el);return parent!==
null&&isRendered(parent)}function isUsedArea(el){const map=closest(el,"map");const name=map&&attr(map,"name");if(!name)return false;for(const img of queryAll(rootOf(el),"img[usemap]"))if(attr(img,"use\
map")==="#"+name)return isRendered(img);return false}function isShown(el){let shown=pass.shown.get(el);if(shown===void 0)pass.shown.set(el,shown=isRendered(el)&&!isCutOff(el));return shown}function isCutOff(el){
for(let e=el;e;e=parentOf(e))if(isAriaHidden(e)||has(e,"inert"))return true;const modal=topModal();return modal!==null&&!isInside(el,modal)}function isAriaHidden(el){if(attr(el,"aria-hidden")!=="true"||
tagOf(el)==="body"||tagOf(el)==="html")return false;const active=deepActive();return!(active&&isInside(active,el))}function isInside(el,ancestor){for(let e=el;e;e=parentOf(e))if(e===ancestor)return true;
return false}function topModal(){if(pass.modal!==void 0)return pass.modal;const all=[...queryDocument(doc,":modal")];for(const root of observedRoots())all.push(...queryFragment(root,":modal"));const dialogs=all.
filter(d=>d instanceof HTMLDialogElement);pass.modal=dialogs.at(-1)||null;if(dialogs.length>1)pass.modal=dialogs.find(isOnTop)||pass.modal;return pass.modal}function isOnTop(dialog){const r=rectOf(dialog);
const hit=elementFromPoint(doc,r.left+r.width/2,r.top+r.height/2);return hit!==null&&(hit===dialog||contains(dialog,hit))}function isReadable(el){if(!hasAttributes(el))return true;const key=has(el,"st\
yle")?null:tagOf(el)+" "+attr(el,"class");let readable=key===null?void 0:pass.inks.get(key);if(readable===void 0){const style=styleOf(el),color=style.color;const clear=color.charCodeAt(3)===97&&color.
endsWith(", 0)");readable=!clear&&style.fontSize!=="0px";if(key!==null)pass.inks.set(key,readable)}return readable}function hidesItsText(el,style,display){if(display==="inline"||display==="contents"||
!hasAttributes(el))return false;if(style.contentVisibility==="hidden")return true;const position=style.position;if((position==="absolute"||position==="fixed")&&isAway(style))return true;if(style.overflowY===
"visible"&&(!has(el,"style")||style.clipPath==="none"))return false;const r=rectOf(el);return(r.width<=1||r.height<=1)&&clips(style)}function clips(style){return style.overflow!=="visible"||style.clip!==
"auto"||style.clipPath!=="none"}function isAway(style){if(parseFloat(style.left)<-500||parseFloat(style.top)<-500)return true;const clip=style.clip;return clip!=="auto"&&/^rect\((\d+px|auto), (\d+px|auto), \1, \2\)$/.
test(clip)}var hosts=set("article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span");var MOST_ASKED=100;function lookForClosedRoot(el,tag){const custom=tag.includes("-")&&isHTML(el);if(!custom&&
(!hosts.has(tag)||firstChild(el)!==null)){if(!hosts.has(tag)||firstElementChild(el)===null||!couldHostSilently(el))return}if(shadowOf(el))return;if(custom)walking.hosts.push(el);if(asked.has(el))return;
if(!custom&&(clientHeight(el)===0||clientWidth(el)===0))return;if(walking.closed.length<MOST_ASKED)walking.closed.push(idFor(el))}function couldHostSilently(el){for(let n=firstChild(el);n;n=nextSibling(
n)){if(nodeType(n)===TEXT?!isBlank(dataOf(n)):isElement(n)&&checkVisibility(n))return false}return clientHeight(el)>0}function adopt(host,root){handIn(host,root);observe(root);bump()}var marks=/[|^]/;var escaped=text=>marks.test(text)?text.replaceAll("^","^2").replaceAll("|","^1"):text;var origin="";var rootless=0;function format(w){origin=location.origin;rootless=origin.length;const head=[
w.v+"."+shape,escaped(w.t),escaped(w.u),escaped(origin),w.m||0,w.k.join(),escaped(w.e||"")].join("|");return head+"|"+(w.n?formatNode(w.n):"")}function formatNode(n){if(n.r==="text")return"T"+escaped(
n.x??"")+"|";let s="("+(n.i||"")+"."+escaped(n.r)+"|";if(n.n)s+="n"+escaped(n.n)+"|";if(n.d)s+="d"+escaped(n.d)+"|";if(n.v!==void 0)s+="v"+escaped(String(n.v))+"|";if(n.u)s+="u"+escaped(onOrigin(n.u))+
"|";if(n.s){for(const key in n.s)if(n.s[key]!==void 0)s+="s"+key+"="+escaped(String(n.s[key]))+"|"}if(n.a)s+="a";if(n.f)s+="f";if(n.c)for(const kid of n.c)s+=formatNode(kid);return s+")"}var onOrigin=url=>url.
charCodeAt(rootless)===47&&url.startsWith(origin)?url.slice(rootless):url;var version=1;var shape=1;var known={controls:[],hosts:[],href:"",active:null,width:0,height:0};var observed=new WeakSet;var roots=new Set;var bump=()=>void version++;var wasPassword=type=>sensitive.field(
type||"","","","")==="password";var observer=new MutationObserver(seen);function seen(records){if(!records.length)return;bump();for(const record of records){asked.delete(record.target);if(record.type===
"attributes"||holdsElement(record.addedNodes)||holdsElement(record.removedNodes))shape++;if(record.attributeName==="type"&&isInput(record.target)&&wasPassword(record.oldValue))concealed.add(record.target)}}
function holdsElement(nodes){for(const node2 of nodes)if(isElement(node2))return true;return false}function observe(root){if(observed.has(root))return;observed.add(root);if(root instanceof ShadowRoot){
shape++;if(pass?.sheets)addSheets(root);roots.add(new WeakRef(root));for(const name of["slotchange","toggle"])root.addEventListener(name,bump,{capture:true,passive:true})}observer.observe(root,{subtree:true,
childList:true,attributes:true,attributeOldValue:true,characterData:true})}function observedRoots(){const alive=[];for(const ref of roots){const root=ref.deref();if(!root)roots.delete(ref);else if(isConnected(
root))alive.push(root)}return alive}for(const name of words(`input change focusin focusout toggle load error transitionend animationend resize slotchange
  fullscreenchange invalid reset popstate hashchange close pageshow`)){addEventListener(name,bump,{capture:true,passive:true})}method(EventTarget,"addEventListener")(doc,"load",()=>void shape++,{capture:true,
passive:true});function remember(w){known={controls:w.controls.slice(0,2e3).map(el=>[new WeakRef(el),fingerprint(el)]),hosts:w.hosts.slice(0,500).map(el=>new WeakRef(el)),href:location.href,active:w.active&&
new WeakRef(w.active),width:innerWidth,height:innerHeight}}function fingerprint(el){if(el instanceof HTMLSelectElement)return Array.from(selectedOptions(el),optionLabel).join("\n")+selectIndex(el);if(el instanceof
HTMLTextAreaElement)return areaValue(el);switch(inputType(el)){case"checkbox":case"radio":return(inputChecked(el)?1:0)+(inputIndeterminate(el)?2:0)}if(hides(el))return hash(inputValue(el));return inputValue(
el)}function hash(text){let h=2166136261;for(let i=0;i<text.length;i++)h=Math.imul(h^text.charCodeAt(i),16777619);return h}function currentVersion(){seen(observer.takeRecords());return version}function silentChange(){
if(known.href!==location.href||known.width!==innerWidth||known.height!==innerHeight)return true;for(const[ref,was]of known.controls){const el=ref.deref();if(el&&fingerprint(el)!==was)return true}for(const ref of known.
hosts){const el=ref.deref();if(el&&shadowRootOf(el))return true}return during(()=>deepActive())!==(known.active?known.active.deref()||null:null)}function versionNow(){if(known.width&&silentChange()){bump();
during(()=>relearn())}return currentVersion()}function relearn(){for(const control of known.controls){const el=control[0].deref();if(el)control[1]=fingerprint(el)}known.hosts=known.hosts.filter(ref=>{
const el=ref.deref();return el&&!shadowRootOf(el)});const active=deepActive();Object.assign(known,{href:location.href,active:active&&new WeakRef(active),width:innerWidth,height:innerHeight})}function describe(id){
const el=elementFor(id);if(!el)return null;scopeOf(rootOf(el));const role=roleOf(el),name=nameOf(el),states=statesOf(el,role,deepActive());const about={role,name,tag:tagOf(el),shown:isShown(el),acts:isActedOn(
el,role),...states};if(isInput(el))about.type=inputType(el);const description=descriptionOf(el,name),value=valueOf(el,role);if(description)about.description=description;if(value!==void 0)about.value=value;
if(!name)about.text=textIn(el).slice(0,200);if(el instanceof HTMLSelectElement)about.multiple=has(el,"multiple");if(isEditable(el))about.editable=true;return about}function find(role,name){const found=[];
const look=root=>{scopeOf(root);for(const el of queryAll(root,"*")){const shadow=shadowOf(el);if(shadow)look(shadow);const its=roleOf(el);if((its==="none"?"generic":its)!==role||!isShown(el))continue;
const own=nameOf(el)||(role==="generic"||role==="LabelText"?textIn(el):"");if(own===name)found.push(idFor(el))}};look(doc);return found}function walkSafely(options){try{return walk(options)}catch(error){
return{v:currentVersion(),t:titleOf(doc),u:location.href,n:{r:"RootWebArea",u:location.href},k:[],e:String(error)}}}var cove={fieldKind,paymentHost:sensitive.paymentHost,walk:options=>format(during(()=>walkSafely(
options??{}))),version:versionNow,get:elementFor,id:el=>el instanceof Element?idFor(el):0,root:shadowOf,hides,conceal:el=>void concealed.add(el),find:(role,name)=>during(()=>find(role,name)),describe:id=>during(
()=>describe(id)),adopt,markListeners:(kinds,all)=>during(()=>markListeners(kinds,all)),asked:ids=>{for(const id of ids){const el=elementOfId.get(id)?.deref();if(el)asked.add(el)}}};Object.defineProperty(
globalThis,"cove",{value:Object.freeze(cove)});observe(doc);})();
