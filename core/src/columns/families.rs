//! The families of names that sites give to their elements, and the words that tell them.

use std::sync::OnceLock;

/// A family and its words; a word that ends in `*` stands for all that begin with it.
pub const FAMILIES: [(&str, &str); 20] = [
    (
        "comment",
        "comment* reply replies respond response responses discuss* disqus dsq livefyre spotim coral talkback* \
         guestbook kommentar* comentar* comentari* commentaire* commenti commento reactie* reacties reagir yorum* \
         opinie komentar* komentarz* kommentarii otzyv* pinglun liuyan binhluan fbcomments wpdiscuz cmt \
         cmts remark*",
    ),
    (
        "related",
        "related* recommend* recirc* more also similar popular* trending teaser* promo promoted upnext readnext \
         suggest* mostread mostpopular most latest featured further outbrain taboola zergnet nrelate yarpp \
         verwandt* aehnlich* weitere mehr empfehl* relacionad* tambien destacad* recomend* similaires lire associe* \
         correlat* correlati leggi gerelateerd* meer terkait baca bacajuga powiazan* polecane souvisej* ilgili \
         benzer relaterad* relatert pohozh* xiangguan tuijian lienquan kanren osusume recent* stories hot pop extra \
         newest mostviewed toprated readmore seealso morefrom",
    ),
    (
        "share",
        "share* sharing social* addthis addtoany sharethis sharedaddy follow* facebook twitter tweet* whatsapp \
         telegram linkedin pinterest reddit flattr shariff teilen compartir compartilh* partage* partager condividi \
         delen paylas* udostepnij dela sdilet bagikan podelit* fenxiang chiase likes like buzz* bookmarks \
         bookmarking sns instagram youtube email print printfriendly rss delicious digg vk weibo wechat",
    ),
    (
        "byline",
        "byline* author* writer* dateline date* datetime time timestamp published* publish pubdate posted* postmeta \
         meta entrymeta updated modified dc creator contributor* reporter journalist editor credits by created \
         autor* auteur* autore auteurs verfasser datum fecha publicado publie signature redacteur redattore \
         schrijver penulis tanggal yazar tarih zuozhe laiyuan shijian source tacgia ngay vcard fn readtime \
         readingtime",
    ),
    (
        "side",
        "side* aside* rail* rightcol* leftcol* rightcolumn leftcolumn rightbar leftbar rcol lcol secondary tertiary \
         complementary widget* gadget* seitenleiste marginal* colonne barra lateral* randspalte rhs lhs",
    ),
    (
        "foot",
        "foot* colophon copyright* imprint impressum legal siteinfo contentinfo pied pie rodape piede paticka \
         stopka voet* fuss* disclaimer terms privacy bottombar pagebottom",
    ),
    (
        "nav",
        "nav* menu* breadcrumb* crumb* crumbs topnav subnav mainnav leftnav sidenav globalnav submenu pager paging \
         pagina* paginator previous prev next pagenav toc sitemap jump skip skiplink* tabs tabbar dropdown* \
         hamburger toolbar brotkrumen fil ariane migas briciole kruimelpad daohang megamenu nextprev postnav \
         wayfinder bread link links sub button buttons btn cta actions filter* controls options current jumplist",
    ),
    (
        "ad",
        "ad ads adv advert* adsense adslot adbox adunit adwrap* adcontainer adblock* adhesion admania advt adspot \
         adsby* sponsor* dfp gpt googlead* doubleclick banner* banners anzeige* werbung reklam* publicit* publicid* \
         pubblicit* advertentie annonce* promoted promotion* commercial affiliate* outbrain taboola mgid adfox \
         guanggao quangcao iklan leaderboard skyscraper mpu partner* native",
    ),
    (
        "caption",
        "caption* figcaption figure* credit* cutline legend* bildunterschrift bildtext bild photo* image* img \
         picture* media thumb* thumbnail* gallery* slide* slider* slideshow carousel* lightbox video* player* audio \
         podcast* leyenda pie legende didascalia bijschrift onderschrift podpis foto* imagen* fotografo attachment",
    ),
    (
        "main",
        "main* content* article* entry* body* story* post posts singular permalink hentry prose richtext markdown \
         copy bodytext bodycopy wysiwyg editorial artikel* articulo* articolo noticia* nota cuerpo corps contenu \
         contenido conteudo contenuto inhalt beitrag beitraege texte texto testo tekst tresc clanek haber berita \
         isi detail* details zhengwen neirong wenzhang honbun kiji mw parser blog textbody maintext articletext",
    ),
    (
        "title",
        "title* headline* heading* hed subject name posttitle entrytitle pagetitle titel* titre* titulo* titolo* \
         titular ueberschrift uberschrift schlagzeile kop kopje naslov tytul* nadpis rubrik zagolovok baslik judul \
         biaoti tieude midashi subtitle subhead* kicker eyebrow overline topline dachzeile",
    ),
    (
        "tag",
        "tag tags tagcloud tagged taglist tagline keyword* categor* cat cats topic* label* labels taxonom* term \
         terms badge* chip chips schlagwort* schlagworte etiqueta* etiquette* rubrique* rubrik* kategori* \
         categoria* sujet* tema temas thema themen argomenti trefwoord* biaoqian channel folder hashtag* pill pills",
    ),
    (
        "list",
        "list* lists item* items feed* grid* cards card tile* tiles archive* archives index stream timeline river \
         loop collection* directory results result listing* liste lista lijst elenco stack listado newslist \
         blogroll ranking rank",
    ),
    (
        "popup",
        "popup* modal* overlay* dialog* cookie* consent* gdpr ccpa onetrust newsletter* subscri* signup login \
         signin register registration paywall* premium regwall piano tooltip* popover* toast* snackbar alert* \
         notification* notice flyout drawer interstitial lightbox optin mailchimp mailing abo abonn* suscri* \
         inscri* iscriviti assine nieuwsbrief bulten interactive offcanvas backdrop account sign log close",
    ),
    (
        "head",
        "head header* masthead* topbar brand* branding logo* sitehead* sitename siteheader pagehead* hero* \
         jumbotron banner navbar cabecera cabecalho entete kopf kopfzeile testata hlavicka naglowek strap* tagline \
         blogname tophead eyebrow",
    ),
    (
        "forum",
        "forum* thread* topic* message* msg bbs board* viewtopic postbody postcontent postbit postrow posts \
         vbulletin phpbb xenforo xf discourse signature sig member* user* username poster avatar* karma vote* votes \
         voting upvote* score reputation answer* question* qa quote* quotes quoted blockquote foro foros forumul* \
         beitrag beitraege louzhu tiezi huifu lou postmessage cooked moderat* rank joined",
    ),
    (
        "hidden",
        "hidden hide hides hiding invisible sr visually visuallyhidden offscreen screen reader readers accessib* \
         noprint collapse* collapsed collapsible clip clipped assistive unseen hid fallback placeholder* lazy \
         noscript expand* toggle* skip aural nocontent",
    ),
    (
        "product",
        "product* price* prices pricing cart* basket checkout shop* store* sku offer* offers buy buybox deal* deals \
         amazon purchase* stock stars rating* ratings review* reviews spec specs specification* variant* wishlist \
         catalog* shipping produkt* producto* produit* prodotto prodotti prix precio* preis* preise prezzo prijs \
         tienda warenkorb panier carrito shangpin jiage",
    ),
    (
        "summary",
        "summary summar* excerpt* abstract* lead lede leadtext leadin intro* standfirst deck dek description* desc \
         blurb synopsis preface preamble snippet* chapo chapeau entradilla bajada sommario occhiello vorspann \
         anriss einleitung teasertext zusammenfassung resumen resumo resume riassunto samenvatting streszczenie \
         perex ingress zhaiyao keypoints highlights takeaway* tldr abstrakt anons",
    ),
    (
        "bio",
        "bio bios biobox biography about* profile* authorbox authorinfo authorbio aboutauthor contributor* vcard \
         person* people staff team portrait uber ueber apropos sobre acerca biografia biographie perfil profil* \
         avatar* gravatar expert*",
    ),
];

/// One more letter of a word; 0 where no word goes on so.
type Steps = [u16; 32];

/// All words of all families, letter by letter.
struct Words {
    steps: Vec<Steps>,
    /// The families of all words that are, or begin with, the letters up to here.
    begun: Vec<u32>,
    /// The families of words that end here.
    ended: Vec<u32>,
}

const ROOT: u16 = 1;

fn words() -> Words {
    // Step 0 is where words are that nobody asks for: it leads nowhere.
    let mut words = Words { steps: vec![[0; 32]; 2], begun: vec![0; 2], ended: vec![0; 2] };
    for (family, (_, list)) in FAMILIES.iter().enumerate() {
        list.split_ascii_whitespace().for_each(|word| words.add(word, 1 << family));
    }
    words
}

impl Words {
    fn add(&mut self, word: &str, family: u32) {
        let letters = word.trim_end_matches('*');
        let place = letters.bytes().fold(ROOT, |place, letter| self.step(place, letter)) as usize;
        let families = if letters.len() < word.len() { &mut self.begun } else { &mut self.ended };
        families[place] |= family;
    }

    fn step(&mut self, place: u16, letter: u8) -> u16 {
        let next = self.steps[place as usize][usize::from(letter & 31)];
        if next != 0 {
            return next;
        }
        let next = self.steps.len() as u16;
        self.steps.push([0; 32]);
        self.begun.push(0);
        self.ended.push(0);
        self.steps[place as usize][usize::from(letter & 31)] = next;
        next
    }
}

/// A bit for each family that a value names: words end where no letter is, and before a capital behind a small letter.
pub fn families(value: &[u8]) -> u32 {
    static WORDS: OnceLock<Words> = OnceLock::new();
    let words = WORDS.get_or_init(words);
    let (mut found, mut place, mut is_behind_small) = (0, ROOT, false);
    for &byte in value {
        let is_letter = byte.is_ascii_alphabetic();
        if !is_letter || (is_behind_small && byte.is_ascii_uppercase()) {
            found |= words.ended[place as usize];
            place = ROOT;
        }
        if is_letter {
            place = words.steps[place as usize][usize::from(byte & 31)];
            found |= words.begun[place as usize];
        }
        is_behind_small = byte.is_ascii_lowercase();
    }
    found | words.ended[place as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(value: &str) -> Vec<&'static str> {
        let found = families(value.as_bytes());
        FAMILIES.iter().enumerate().filter(|(number, _)| found >> number & 1 == 1).map(|(_, family)| family.0).collect()
    }

    #[test]
    fn a_name_belongs_to_the_families_of_its_words() {
        assert_eq!(named("comment-respond"), ["comment"]);
        assert_eq!(named("relatedPosts"), ["related", "main", "forum"]);
        assert_eq!(named("ad-1"), ["ad"]);
        assert_eq!(named("SIDEBAR"), ["side"]);
        assert_eq!(named("datePublished"), ["byline"]);
    }

    #[test]
    fn parts_of_words_are_no_words() {
        assert_eq!(named("header-shadow download unshared mapping"), ["head"]);
        assert_eq!(named(""), [""; 0]);
        assert_eq!(named("42 ___ é"), [""; 0]);
    }

    #[test]
    fn all_words_are_small_ascii_letters() {
        let words = FAMILIES.iter().flat_map(|family| family.1.split_ascii_whitespace());

        for word in words {
            assert!(word.trim_end_matches('*').bytes().all(|byte| byte.is_ascii_lowercase()), "{word}");
        }
    }
}
