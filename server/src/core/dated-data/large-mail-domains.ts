// Where do most people have their private email address? Providers whose addresses anybody can have for nothing.

const domains = `
gmail.com googlemail.com
yahoo.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.in yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.com.ar yahoo.com.mx
yahoo.com.au yahoo.co.id yahoo.com.ph yahoo.com.sg yahoo.com.tw yahoo.com.hk yahoo.gr yahoo.ie yahoo.pl yahoo.ro ymail.com rocketmail.com
myyahoo.com aol.com aol.co.uk aim.com
outlook.com outlook.fr outlook.de outlook.it outlook.es outlook.in outlook.jp outlook.com.br outlook.co.id outlook.com.au hotmail.com
hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.be hotmail.nl hotmail.ca hotmail.com.br hotmail.com.ar hotmail.com.mx
hotmail.com.au hotmail.co.jp live.com live.co.uk live.fr live.de live.it live.nl live.be live.ca live.in live.jp live.com.mx live.com.au
msn.com windowslive.com passport.com
icloud.com me.com mac.com
proton.me protonmail.com protonmail.ch pm.me tutanota.com tuta.com tuta.io tutamail.com hushmail.com fastmail.com fastmail.fm hey.com
zoho.com zohomail.com zohomail.in zohomail.eu mail.com email.com usa.com gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de freenet.de
arcor.de 1und1.de posteo.de mailbox.org bluewin.ch orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr libero.it virgilio.it
tin.it alice.it tiscali.it inwind.it terra.es telefonica.net sapo.pt skynet.be telenet.be ziggo.nl kpnmail.nl home.nl planet.nl xs4all.nl
btinternet.com btopenworld.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk o2.co.uk eircom.net telia.com online.no
seznam.cz email.cz centrum.cz wp.pl o2.pl onet.pl interia.pl op.pl freemail.hu citromail.hu abv.bg mail.bg inbox.lv
yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru ukr.net i.ua
comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com optonline.net frontier.com
rogers.com shaw.ca sympatico.ca telus.net bell.net videotron.ca bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz
uol.com.br bol.com.br terra.com.br globo.com ig.com.br rediffmail.com indiatimes.com
qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn
naver.com daum.net hanmail.net nate.com kakao.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp au.com nifty.com
`

export const largeMailDomains: ReadonlySet<string> = new Set(domains.trim().split(/\s+/))
