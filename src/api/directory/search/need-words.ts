// Over 300 lines: a table of words, with one row for each need.
/** Phrases for one need. Whoever searches for one of them finds what is written with another. */
export interface NeedWords {
  readonly en: readonly string[];
  readonly es: readonly string[];
}

const need = (en: readonly string[], es: readonly string[]): NeedWords => ({ en, es });

/**
 * What people call what they need, in English and Spanish. A phrase has one to three words that tell something. Plurals,
 * accents and case do not matter. Only phrases that may stand for one another are in a row: a narrower need has a row of
 * its own. A word that means something else as well, or has the stem of such a word in the other language, is not alone:
 * a license is not only for driving, and "parto" (childbirth) has the stem of "part". In rows of more than twelve
 * phrases the first ones are searched for, so those stand first with which records are written.
 */
export const needWords: readonly NeedWords[] = [
  // Food
  need(
    ['food', 'groceries', 'meals', 'hungry', 'hunger'],
    ['comida', 'alimentos', 'alimentación', 'víveres', 'hambre', 'comestibles', 'mandado'],
  ),
  need(
    ['food pantry', 'food bank', 'pantry', 'foodbank', 'food shelf', 'free food', 'free groceries'],
    [
      'despensa de alimentos',
      'banco de alimentos',
      'banco de comida',
      'despensa',
      'comida gratis',
      'comida gratuita',
    ],
  ),
  need(
    ['soup kitchen', 'hot meal', 'community meal', 'free meal', 'free lunch'],
    ['comedor comunitario', 'comedor social', 'comida caliente', 'comedor'],
  ),
  need(
    ['senior meals', 'meals for seniors', 'congregate meal', 'senior nutrition'],
    ['comidas para mayores', 'comida para ancianos'],
  ),
  need(
    ['home delivered meal', 'meals on wheels', 'meal delivery'],
    ['comida a domicilio', 'comidas a domicilio'],
  ),
  need(
    ['food stamps', 'snap', 'ebt', 'supplemental nutrition assistance', 'food benefits', 'snap benefits'],
    ['estampillas', 'cupones de alimentos', 'cupones de comida', 'estampillas de comida', 'tarjeta ebt'],
  ),
  need(['wic', 'women infants children'], ['wic', 'mujeres infantes niños']),
  need(
    ['baby formula', 'infant formula', 'formula'],
    ['fórmula para bebé', 'fórmula infantil', 'leche para bebé'],
  ),
  need(
    ['school lunch', 'summer meal', 'school meal'],
    ['almuerzo escolar', 'comida escolar', 'comidas de verano'],
  ),
  need(
    ['nutrition', 'dietitian', 'healthy eating'],
    ['nutrición', 'nutricionista', 'alimentación saludable'],
  ),
  need(
    ['vegetables', 'fruit', 'farmers market', 'fresh produce'],
    ['verduras', 'vegetales', 'frutas', 'mercado de agricultores'],
  ),
  need(['community garden', 'gardening'], ['huerto comunitario', 'jardín comunitario']),
  need(['water', 'drinking water'], ['agua', 'agua potable']),
  // Housing
  need(
    ['housing', 'apartment', 'rental', 'place to live'],
    ['vivienda', 'apartamento', 'casa', 'alojamiento', 'lugar para vivir'],
  ),
  need(
    ['affordable housing', 'low income housing', 'low cost housing', 'subsidized housing'],
    ['vivienda asequible', 'vivienda económica', 'vivienda subsidiada', 'vivienda de bajo costo'],
  ),
  need(
    ['section 8', 'housing voucher', 'housing choice voucher'],
    ['sección 8', 'vale de vivienda', 'cupón de vivienda'],
  ),
  need(['public housing', 'housing authority'], ['vivienda pública', 'autoridad de vivienda']),
  need(['senior housing', 'housing for seniors'], ['vivienda para mayores', 'vivienda para ancianos']),
  need(
    [
      'shelter',
      'homeless shelter',
      'emergency shelter',
      'overnight shelter',
      'homeless',
      'homelessness',
      'unhoused',
      'place to sleep',
      'nowhere to sleep',
    ],
    [
      'refugio',
      'albergue',
      'donde dormir',
      'lugar para dormir',
      'desamparado',
      'sin hogar',
      'personas sin hogar',
      'personas sin techo',
      'vivir en calle',
    ],
  ),
  need(['transitional housing', 'transitional living'], ['vivienda transitoria', 'vivienda de transición']),
  need(['supportive housing', 'supported housing'], ['vivienda con apoyo', 'vivienda de apoyo']),
  need(['rapid rehousing', 'rehousing'], ['realojamiento', 'reubicación rápida']),
  need(
    ['rent', 'rent assistance', 'rental assistance', 'rent payment', 'paying rent', 'back rent'],
    ['renta', 'alquiler', 'pagar la renta', 'pago de renta', 'renta atrasada'],
  ),
  need(
    ['eviction', 'evicted', 'eviction notice'],
    ['desalojo', 'desahucio', 'prevención de desalojo', 'me desalojan'],
  ),
  need(
    ['landlord', 'tenant', 'tenant rights', 'landlord tenant'],
    ['inquilino', 'arrendador', 'casero', 'derechos del inquilino', 'arrendatario'],
  ),
  need(['mortgage', 'mortgage payment', 'mortgage assistance'], ['hipoteca', 'ayuda con la hipoteca']),
  need(['foreclosure', 'foreclosure prevention'], ['ejecución hipotecaria', 'embargo de vivienda']),
  need(
    ['home repair', 'house repair', 'home rehabilitation', 'weatherization'],
    ['reparación de vivienda', 'reparación del hogar', 'reparaciones de casa', 'climatización'],
  ),
  need(['mold'], ['moho']),
  need(['smoke alarm', 'smoke detector'], ['alarma de humo', 'detector de humo']),
  need(
    ['home buyer', 'homebuyer', 'first time homebuyer', 'down payment', 'homeownership'],
    ['comprador de vivienda', 'comprar casa', 'pago inicial'],
  ),
  need(['security deposit', 'move in cost'], ['depósito de seguridad', 'depósito de alquiler']),
  need(['moving', 'relocation'], ['mudanza', 'reubicación']),
  need(
    ['roommate', 'home sharing', 'room for rent'],
    ['compañero de cuarto', 'compartir vivienda', 'cuarto en renta'],
  ),
  need(['housing discrimination', 'fair housing'], ['discriminación de vivienda', 'vivienda justa']),
  need(['group home', 'residential care', 'adult foster home'], ['hogar grupal', 'casa hogar']),
  need(['assisted living', 'adult family home'], ['vivienda asistida', 'residencia asistida']),
  need(
    ['nursing home', 'skilled nursing'],
    ['asilo', 'hogar de ancianos', 'residencia de ancianos', 'asilo de ancianos'],
  ),
  need(['asylum', 'political asylum', 'asylum seeker'], ['asilo', 'asilo político', 'solicitante de asilo']),
  need(['shower', 'showers'], ['ducha', 'duchas', 'regadera']),
  need(
    ['hygiene', 'hygiene products', 'toiletries'],
    ['higiene', 'productos de higiene', 'artículos de aseo'],
  ),
  need(
    ['period products', 'tampons', 'menstrual products'],
    ['toallas sanitarias', 'productos menstruales', 'tampones'],
  ),
  need(['laundry', 'laundromat', 'wash clothes'], ['lavandería', 'lavar ropa']),
  need(['storage', 'locker'], ['almacenamiento', 'casillero']),
  need(['mailing address', 'mail service'], ['dirección postal', 'servicio de correo']),
  need(
    ['cooling center', 'air conditioning', 'fan'],
    ['centro de enfriamiento', 'aire acondicionado', 'ventilador'],
  ),
  need(['warming center', 'heating', 'heat'], ['centro de calentamiento', 'calefacción']),
  // Money and goods
  need(
    ['utilities', 'utility', 'utility bill', 'utility assistance', 'utility payment', 'shut off notice'],
    [
      'servicios públicos',
      'pago de servicios',
      'factura de servicios',
      'ayuda con servicios',
      'corte de servicios',
    ],
  ),
  need(
    [
      'electric',
      'electricity',
      'electric bill',
      'light bill',
      'power bill',
      'liheap',
      'energy assistance',
      'electricity bill',
    ],
    ['luz', 'electricidad', 'recibo de luz', 'factura de luz', 'ayuda de energía'],
  ),
  need(['gas bill', 'heating bill'], ['recibo de gas', 'factura de gas']),
  need(['water bill'], ['recibo de agua', 'factura de agua']),
  need(
    ['phone bill', 'free phone', 'cell phone', 'lifeline program', 'telephone assistance'],
    ['teléfono gratis', 'teléfono celular', 'factura de teléfono', 'recibo de teléfono'],
  ),
  need(['internet', 'wifi', 'low cost internet'], ['internet', 'wifi', 'internet de bajo costo']),
  need(['computer', 'laptop', 'computer access'], ['computadora', 'computadoras', 'ordenador']),
  need(
    ['money', 'cash', 'cash assistance', 'financial assistance', 'financial help', 'emergency money'],
    ['dinero', 'efectivo', 'ayuda económica', 'asistencia financiera', 'ayuda financiera'],
  ),
  need(
    ['tanf', 'welfare', 'public assistance', 'public benefits', 'government benefits'],
    ['tanf', 'asistencia pública', 'beneficios públicos', 'ayuda del gobierno'],
  ),
  need(
    ['social security', 'ssi', 'ssdi', 'disability benefits'],
    ['seguro social', 'ssi', 'beneficios por discapacidad'],
  ),
  need(
    ['unemployment', 'unemployment benefits', 'unemployment insurance', 'lost my job'],
    ['desempleo', 'seguro de desempleo', 'beneficios de desempleo', 'perdí mi trabajo'],
  ),
  need(
    ['tax', 'tax preparation', 'tax help', 'income tax', 'vita tax'],
    [
      'impuestos',
      'preparación de impuestos',
      'declaración de impuestos',
      'ayuda con impuestos',
      'hacer impuestos',
    ],
  ),
  need(
    ['debt', 'debts', 'credit counseling', 'debt counseling', 'credit repair'],
    ['deuda', 'deudas', 'asesoría de crédito', 'reparación de crédito'],
  ),
  need(['bankruptcy'], ['bancarrota', 'quiebra']),
  need(
    ['medical bills', 'medical debt', 'hospital bill'],
    ['facturas médicas', 'cuentas médicas', 'deuda médica'],
  ),
  need(
    ['budget', 'budgeting', 'financial counseling', 'financial literacy', 'money management'],
    ['presupuesto', 'educación financiera', 'asesoría financiera'],
  ),
  need(['loan', 'loans', 'microloan'], ['préstamo', 'préstamos']),
  need(['bank account', 'banking'], ['cuenta bancaria', 'cuenta de banco']),
  need(
    ['clothing', 'clothes', 'clothing bank', 'clothes closet', 'thrift'],
    ['ropa', 'vestimenta', 'ropa gratis', 'ropero'],
  ),
  need(['coat', 'coats', 'winter clothing', 'jacket'], ['abrigo', 'abrigos', 'ropa de invierno', 'chaqueta']),
  need(['shoes', 'footwear'], ['zapatos', 'calzado']),
  need(
    ['work clothes', 'interview clothing', 'professional clothing'],
    ['ropa de trabajo', 'ropa para entrevista'],
  ),
  need(['diapers', 'diaper', 'diaper bank'], ['pañales', 'pañal']),
  need(
    ['baby supplies', 'baby items', 'crib', 'stroller', 'baby clothes'],
    ['artículos para bebé', 'cuna', 'cochecito', 'ropa de bebé'],
  ),
  need(['car seat', 'child car seat'], ['asiento de carro', 'silla para auto', 'asiento infantil']),
  need(['furniture', 'household furniture'], ['muebles', 'mobiliario']),
  need(['bed', 'beds', 'mattress'], ['cama', 'camas', 'colchón']),
  need(['appliances', 'household goods', 'household items'], ['electrodomésticos', 'artículos del hogar']),
  need(
    ['toys', 'christmas gifts', 'christmas toys', 'holiday gifts'],
    ['juguetes', 'regalos de navidad', 'navidad'],
  ),
  need(['thanksgiving', 'thanksgiving basket', 'holiday meal'], ['acción de gracias', 'cena navideña']),
  need(['school supplies', 'backpack', 'uniforms'], ['útiles escolares', 'mochila', 'uniformes']),
  need(
    ['medical equipment', 'durable medical equipment', 'medical supplies'],
    ['equipo médico', 'suministros médicos'],
  ),
  need(['wheelchair', 'walker', 'crutches'], ['silla de ruedas', 'andador', 'muletas']),
  need(
    ['burial', 'funeral', 'cremation', 'funeral expenses'],
    ['entierro', 'funeral', 'cremación', 'gastos funerarios'],
  ),
  // Getting around
  need(
    ['transportation', 'transport', 'ride', 'rides', 'transit'],
    ['transporte', 'transportación', 'aventón', 'raite'],
  ),
  need(
    ['bus', 'bus pass', 'bus ticket', 'bus fare'],
    ['autobús', 'pase de autobús', 'boleto de autobús', 'guagua', 'camión'],
  ),
  need(['metrorail', 'subway', 'train station'], ['tren', 'metro', 'estación de tren']),
  need(
    [
      'medical transportation',
      'ride to doctor',
      'non emergency transportation',
      'appointments transportation',
      'medical rides',
    ],
    ['transporte médico', 'transporte al médico', 'transporte a citas'],
  ),
  need(['paratransit', 'disability transportation'], ['paratránsito', 'transporte para discapacitados']),
  need(
    ['gas voucher', 'gas card', 'gas money', 'gasoline'],
    ['gasolina', 'vale de gasolina', 'dinero para gasolina'],
  ),
  need(
    ['car repair', 'auto repair', 'vehicle repair'],
    ['reparación de autos', 'mecánico', 'reparación de carro'],
  ),
  need(
    ['driver license', 'drivers license', 'driving license'],
    ['licencia de conducir', 'licencia de manejar', 'licencia de manejo'],
  ),
  need(['suspended license', 'license suspended', 'license reinstatement'], ['licencia suspendida']),
  need(['traffic ticket', 'traffic court'], ['multa de tráfico', 'multas de tránsito']),
  need(
    ['id card', 'identification', 'state id', 'photo id', 'lost id'],
    ['identificación', 'tarjeta de identificación', 'credencial'],
  ),
  need(
    ['birth certificate', 'vital records'],
    ['acta de nacimiento', 'certificado de nacimiento', 'partida de nacimiento'],
  ),
  need(['death certificate'], ['acta de defunción', 'certificado de defunción']),
  need(['marriage license', 'marriage certificate'], ['acta de matrimonio', 'licencia de matrimonio']),
  // Health
  need(
    ['health', 'health care', 'healthcare', 'medical', 'medical care'],
    ['salud', 'atención médica', 'cuidado médico', 'cuidado de salud'],
  ),
  need(
    ['clinic', 'health clinic', 'community clinic', 'health center', 'community health center'],
    ['clínica', 'centro de salud', 'centro médico'],
  ),
  need(
    ['free clinic', 'low cost clinic', 'sliding scale'],
    ['clínica gratis', 'clínica gratuita', 'clínica de bajo costo'],
  ),
  need(['doctor', 'physician', 'primary care'], ['médico', 'doctora', 'atención primaria']),
  need(['hospital', 'emergency room'], ['hospital', 'sala de emergencia', 'urgencias']),
  need(['ambulance', 'paramedic'], ['ambulancia', 'paramédico']),
  need(['fire department', 'fire rescue', 'firefighters'], ['bomberos', 'cuerpo de bomberos']),
  need(['urgent care', 'walk in clinic'], ['atención urgente', 'cuidado urgente']),
  need(['blood test', 'lab test'], ['análisis de sangre', 'prueba de sangre']),
  need(['x ray', 'radiology'], ['rayos x', 'radiografía']),
  need(
    ['dentist', 'dental', 'dental care', 'teeth', 'tooth', 'toothache'],
    ['dentista', 'dental', 'dientes', 'muelas', 'cuidado dental'],
  ),
  need(
    ['eye', 'glasses', 'eyeglasses', 'eye exam', 'eye doctor', 'optometrist', 'vision care'],
    ['ojos', 'lentes', 'anteojos', 'gafas', 'examen de la vista', 'oculista'],
  ),
  need(
    ['hearing', 'hearing aid', 'audiology', 'hearing aids', 'hearing test'],
    ['audición', 'audífono', 'aparato auditivo', 'prueba de audición'],
  ),
  need(
    ['medicine', 'medication', 'prescription', 'prescription drugs', 'prescription assistance', 'pharmacy'],
    ['medicina', 'medicamentos', 'receta', 'recetas médicas', 'farmacia'],
  ),
  need(
    [
      'health insurance',
      'medical insurance',
      'health coverage',
      'medicaid',
      'obamacare',
      'health marketplace',
      'uninsured',
    ],
    ['seguro médico', 'seguro de salud', 'aseguranza', 'aseguranza médica'],
  ),
  need(['medicare'], ['medicare']),
  need(
    ['vaccine', 'vaccination', 'immunization', 'shots'],
    ['vacuna', 'vacunas', 'vacunación', 'inmunización'],
  ),
  need(['flu', 'flu shot', 'influenza', 'flu vaccine'], ['gripe', 'vacuna de gripe', 'influenza']),
  need(['covid', 'coronavirus', 'covid test'], ['covid', 'coronavirus', 'prueba de covid']),
  need(['hiv', 'aids', 'hiv test', 'hiv testing'], ['vih', 'sida', 'prueba de vih']),
  need(
    ['std', 'sti', 'std testing', 'sexually transmitted'],
    [
      'ets',
      'enfermedades de transmisión sexual',
      'infecciones de transmisión sexual',
      'enfermedades venéreas',
    ],
  ),
  need(
    ['birth control', 'family planning', 'contraception', 'contraceptive'],
    ['anticonceptivos', 'planificación familiar', 'control de natalidad'],
  ),
  need(
    ['pregnant', 'pregnancy', 'prenatal', 'prenatal care', 'maternity', 'expecting baby'],
    ['embarazada', 'embarazo', 'cuidado prenatal', 'maternidad'],
  ),
  need(
    ['childbirth', 'birth class', 'doula', 'midwife'],
    ['dar a luz', 'clases de parto', 'partera', 'comadrona'],
  ),
  need(['pregnancy test'], ['prueba de embarazo']),
  need(['teen pregnancy', 'pregnant teen'], ['embarazo adolescente', 'adolescente embarazada']),
  need(
    ['breastfeeding', 'lactation', 'breast pump', 'nursing mother'],
    ['lactancia', 'amamantar', 'dar el pecho', 'sacaleches'],
  ),
  need(
    ['abortion', 'abortion clinic', 'pregnancy termination'],
    ['aborto', 'clínica de aborto', 'interrupción del embarazo'],
  ),
  need(['cancer', 'oncology', 'chemotherapy'], ['cáncer', 'oncología', 'quimioterapia']),
  need(
    ['mammogram', 'breast exam', 'breast cancer screening'],
    ['mamografía', 'mamograma', 'examen de senos'],
  ),
  need(['pap smear', 'pap test', 'cervical cancer screening'], ['papanicolau', 'citología']),
  need(
    ['gynecologist', 'gynecology', 'womens health', 'obgyn'],
    ['ginecólogo', 'ginecología', 'salud de mujer'],
  ),
  need(['pediatrician', 'pediatrics', 'childrens doctor'], ['pediatra', 'pediatría', 'médico de niños']),
  need(['diabetes', 'diabetic'], ['diabetes', 'diabético']),
  need(['asthma'], ['asma']),
  need(['heart disease', 'heart', 'cardiology'], ['corazón', 'enfermedad cardíaca', 'cardiología']),
  need(['stroke'], ['derrame cerebral', 'embolia', 'ataque cerebral']),
  need(['epilepsy', 'seizures'], ['epilepsia', 'convulsiones']),
  need(['dialysis', 'kidney disease'], ['diálisis', 'enfermedad renal', 'riñones']),
  need(['lice', 'head lice'], ['piojos']),
  need(['bed bugs', 'pest control'], ['chinches', 'control de plagas']),
  need(
    ['physical therapy', 'occupational therapy', 'physical rehabilitation'],
    ['terapia física', 'fisioterapia', 'terapia ocupacional', 'rehabilitación física'],
  ),
  need(['speech therapy'], ['terapia del habla', 'terapia de lenguaje']),
  need(
    ['hospice', 'end of life care', 'palliative care', 'terminal illness'],
    ['hospicio', 'cuidados paliativos', 'enfermo terminal'],
  ),
  need(
    ['home health', 'home care', 'home health aide', 'personal care'],
    ['cuidado en el hogar', 'atención domiciliaria', 'cuidado personal'],
  ),
  need(['nurse', 'visiting nurse'], ['enfermera', 'enfermería']),
  need(['poison', 'poison control', 'poisoning'], ['veneno', 'envenenamiento', 'intoxicación']),
  need(['blood pressure', 'hypertension'], ['presión arterial', 'hipertensión']),
  need(['weight loss', 'exercise', 'fitness'], ['bajar de peso', 'ejercicio']),
  need(['quit smoking', 'smoking cessation', 'tobacco'], ['dejar de fumar', 'tabaco', 'fumar']),
  // Mind and addiction
  need(
    ['mental health', 'mental', 'behavioral health', 'psychiatric', 'psychiatrist'],
    ['salud mental', 'salud emocional', 'psiquiatra', 'salud conductual'],
  ),
  need(
    ['counseling', 'counselor', 'therapy', 'therapist', 'psychologist', 'someone to talk to'],
    ['consejería', 'consejero', 'terapia', 'terapeuta', 'psicólogo', 'asesoramiento'],
  ),
  need(
    ['couples counseling', 'marriage counseling', 'couples therapy'],
    ['terapia de pareja', 'consejería matrimonial'],
  ),
  need(['family counseling', 'family therapy'], ['terapia familiar', 'consejería familiar']),
  need(
    [
      'suicide',
      'suicidal',
      'suicide prevention',
      'suicide hotline',
      'crisis line',
      'crisis hotline',
      '988',
      'want to die',
      'kill myself',
      'hurt myself',
    ],
    [
      'suicidio',
      'suicida',
      'prevención del suicidio',
      'línea de crisis',
      'quiero morir',
      'matarme',
      'suicidarme',
      'quitarme la vida',
    ],
  ),
  need(['crisis', 'crisis intervention'], ['crisis', 'intervención en crisis']),
  need(['depression', 'depressed', 'sad'], ['depresión', 'deprimido', 'tristeza']),
  need(
    ['anxiety', 'stress', 'panic', 'panic attack'],
    ['ansiedad', 'estrés', 'pánico', 'ataque de pánico', 'nervios'],
  ),
  need(['trauma', 'ptsd'], ['trauma', 'estrés postraumático']),
  need(
    ['grief', 'bereavement', 'grief counseling', 'lost loved one'],
    ['duelo', 'luto', 'pérdida de familiar', 'muerte de familiar'],
  ),
  need(
    [
      'addiction',
      'drug addiction',
      'drug abuse',
      'substance abuse',
      'substance use',
      'drug treatment',
      'drug rehab',
      'rehab',
    ],
    [
      'adicción',
      'drogadicción',
      'drogas',
      'abuso de sustancias',
      'tratamiento de drogas',
      'centro de rehabilitación',
    ],
  ),
  need(
    ['alcohol', 'alcoholism', 'alcoholics anonymous', 'aa', 'drinking problem', 'problem drinking'],
    ['alcoholismo', 'alcohólicos anónimos', 'problema de alcohol', 'dejar de beber'],
  ),
  need(['detox', 'detoxification', 'withdrawal'], ['desintoxicación', 'abstinencia']),
  need(['sober living', 'halfway house', 'recovery home'], ['casa de recuperación', 'vivienda sobria']),
  need(
    ['opioid', 'methadone', 'naloxone', 'narcan', 'overdose'],
    ['opioides', 'metadona', 'naloxona', 'sobredosis'],
  ),
  need(['needle exchange', 'syringe exchange', 'syringe'], ['intercambio de jeringas', 'jeringas']),
  need(['gambling'], ['juego compulsivo', 'apuestas']),
  need(['support group', 'self help'], ['grupo de apoyo', 'autoayuda']),
  need(['eating disorder', 'anorexia'], ['trastorno alimenticio', 'anorexia']),
  need(['anger management', 'anger'], ['control de la ira', 'manejo de la ira', 'enojo']),
  // Safety
  need(
    [
      'domestic violence',
      'domestic abuse',
      'battered women',
      'abused women',
      'violence at home',
      'abusive relationship',
      'intimate partner violence',
      'husband hits',
      'partner hits',
    ],
    [
      'violencia doméstica',
      'violencia familiar',
      'mujeres maltratadas',
      'abuso doméstico',
      'violencia de género',
      'esposo me pega',
      'pareja me pega',
    ],
  ),
  need(
    ['sexual assault', 'rape', 'sexual abuse', 'rape crisis'],
    ['agresión sexual', 'violación', 'abuso sexual'],
  ),
  need(
    ['child abuse', 'child neglect', 'child protection', 'report child abuse'],
    ['abuso infantil', 'maltrato infantil', 'protección de menores', 'reportar abuso infantil'],
  ),
  need(
    ['missing child', 'missing person', 'missing children'],
    ['niño desaparecido', 'persona desaparecida', 'desaparecidos'],
  ),
  need(
    ['elder abuse', 'adult protective'],
    ['abuso de ancianos', 'abuso de mayores', 'maltrato de ancianos'],
  ),
  need(
    ['human trafficking', 'trafficking', 'forced labor'],
    ['trata de personas', 'tráfico de personas', 'tráfico humano', 'trabajo forzado'],
  ),
  need(
    ['victim', 'crime victim', 'victim assistance', 'victim services'],
    ['víctima', 'víctimas de crimen', 'ayuda a víctimas'],
  ),
  need(
    ['restraining order', 'protective order', 'injunction'],
    ['orden de restricción', 'orden de protección'],
  ),
  need(['police', 'law enforcement', 'sheriff'], ['policía', 'alguacil']),
  need(['runaway', 'runaway youth', 'homeless youth'], ['jóvenes sin hogar', 'joven fugado', 'menor fugado']),
  need(
    ['disaster', 'disaster relief', 'hurricane', 'flood', 'storm', 'evacuation'],
    ['desastre', 'ayuda por desastre', 'huracán', 'inundación', 'tormenta', 'evacuación'],
  ),
  need(['house fire', 'fire victim'], ['incendio', 'víctima de incendio']),
  need(['bullying', 'bullied'], ['acoso escolar', 'bullying']),
  need(['harassment', 'sexual harassment', 'stalking'], ['acoso', 'acoso sexual', 'hostigamiento']),
  need(['gang', 'gangs', 'gang prevention'], ['pandilla', 'pandillas']),
  // Families, children, older people
  need(
    ['child care', 'childcare', 'daycare', 'day care', 'babysitter', 'preschool', 'nursery school'],
    ['guardería', 'cuidado de niños', 'cuidado infantil', 'niñera', 'preescolar', 'kínder'],
  ),
  need(['head start', 'early head start'], ['head start', 'educación temprana']),
  need(
    ['after school', 'afterschool', 'after school program'],
    ['después de la escuela', 'programa extraescolar', 'extraescolar'],
  ),
  need(['summer camp', 'camp', 'day camp'], ['campamento', 'campamento de verano']),
  need(
    ['parenting', 'parenting class', 'parent education', 'parents'],
    ['crianza', 'clases para padres', 'educación para padres', 'padres'],
  ),
  need(
    ['foster care', 'foster parent', 'foster family'],
    ['cuidado de crianza', 'hogar de crianza', 'padres de crianza', 'familia de acogida', 'hogar sustituto'],
  ),
  need(['adoption', 'adopt'], ['adopción', 'adoptar']),
  need(['child support'], ['manutención', 'manutención de niños', 'pensión alimenticia']),
  need(
    ['custody', 'child custody', 'visitation', 'supervised visitation'],
    ['custodia', 'custodia de hijos', 'visitas supervisadas', 'régimen de visitas'],
  ),
  need(['divorce', 'separation'], ['divorcio', 'separación']),
  need(['single parent', 'single mother', 'single mom'], ['madre soltera', 'padre soltero']),
  need(
    ['grandparents raising grandchildren', 'kinship care'],
    ['abuelos criando nietos', 'cuidado por familiares'],
  ),
  need(['widow', 'widower'], ['viuda', 'viudo']),
  need(['fatherhood', 'fathers', 'dads'], ['paternidad', 'paternidad responsable']),
  need(
    ['youth', 'teen', 'teenager', 'adolescent', 'young people'],
    ['jóvenes', 'joven', 'adolescente', 'juventud'],
  ),
  need(['children', 'child', 'kids'], ['niños', 'niñas', 'infantil', 'hijos']),
  need(['mentor', 'mentoring', 'big brother'], ['mentor', 'mentoría']),
  need(
    ['senior', 'seniors', 'elderly', 'older adult', 'aging'],
    ['anciano', 'adultos mayores', 'tercera edad', 'persona mayor', 'jubilados'],
  ),
  need(
    ['senior center', 'adult day care', 'adult day'],
    ['centro para mayores', 'centro de adultos mayores', 'cuidado diurno de adultos'],
  ),
  need(
    ['caregiver', 'respite', 'respite care', 'caregiver support'],
    ['cuidador', 'cuidadores', 'relevo', 'cuidado de relevo'],
  ),
  need(
    ['lonely', 'loneliness', 'companionship', 'friendly visitor'],
    ['soledad', 'compañía', 'me siento solo'],
  ),
  need(['alzheimer', 'dementia', 'memory care'], ['alzheimer', 'demencia']),
  need(
    ['disability', 'disabled', 'handicapped', 'special needs', 'disabilities'],
    ['discapacidad', 'discapacitado', 'necesidades especiales'],
  ),
  need(
    ['autism', 'autistic', 'developmental disability'],
    ['autismo', 'autista', 'discapacidad del desarrollo'],
  ),
  need(['blind', 'visually impaired', 'low vision'], ['ciego', 'ceguera', 'discapacidad visual']),
  need(
    ['deaf', 'hard of hearing', 'sign language'],
    ['sordo', 'sordera', 'lengua de señas', 'lenguaje de señas', 'problemas de audición'],
  ),
  need(['women', 'woman', 'female'], ['mujer', 'mujeres']),
  need(['men', 'male'], ['hombre', 'hombres']),
  need(['lgbt', 'lgbtq', 'gay', 'lesbian', 'transgender', 'queer'], ['lgbt', 'lesbiana', 'transgénero']),
  need(['family', 'families', 'family services'], ['familia', 'familias', 'servicios familiares']),
  need(
    ['pet', 'pets', 'animal', 'animal shelter', 'veterinary'],
    ['mascota', 'mascotas', 'animales', 'refugio de animales', 'veterinario'],
  ),
  need(['spay neuter', 'spay', 'neuter'], ['esterilización', 'castración', 'esterilizar mascota']),
  // Work and learning
  need(
    ['job', 'jobs', 'employment', 'work', 'job search', 'find a job', 'career'],
    ['empleo', 'trabajo', 'trabajos', 'buscar trabajo', 'carrera'],
  ),
  need(
    ['job training', 'vocational', 'vocational training', 'job skills', 'apprenticeship'],
    ['capacitación laboral', 'formación profesional', 'entrenamiento laboral', 'capacitación'],
  ),
  need(
    ['wage theft', 'unpaid wages', 'workers rights'],
    ['robo de salario', 'no me pagan', 'derechos del trabajador'],
  ),
  need(
    ['workers compensation', 'work injury', 'injured at work'],
    ['compensación laboral', 'accidente de trabajo'],
  ),
  need(
    ['farmworker', 'migrant worker', 'farm worker'],
    ['campesino', 'trabajador agrícola', 'trabajador migrante'],
  ),
  need(['resume', 'interview', 'resume help'], ['currículum', 'entrevista', 'hoja de vida']),
  need(['day labor', 'temp agency', 'temporary job'], ['jornalero', 'trabajo temporal']),
  need(
    ['vocational rehabilitation', 'supported employment'],
    ['rehabilitación vocacional', 'empleo con apoyo'],
  ),
  need(
    ['small business', 'business loan', 'start a business', 'entrepreneur'],
    ['pequeña empresa', 'negocio', 'préstamo para negocio', 'emprendedor'],
  ),
  need(['school', 'education', 'schools'], ['escuela', 'educación', 'colegio']),
  need(
    [
      'ged',
      'school diploma',
      'school equivalency',
      'equivalency test',
      'high school diploma',
      'adult education',
    ],
    ['ged', 'diploma de preparatoria', 'terminar la preparatoria', 'educación para adultos', 'bachillerato'],
  ),
  need(
    ['esl', 'esol', 'english class', 'learn english', 'english as second language', 'english lessons'],
    ['clases de inglés', 'aprender inglés', 'inglés'],
  ),
  need(['literacy', 'learn to read', 'reading'], ['alfabetización', 'lectura', 'aprender a leer']),
  need(['tutor', 'tutoring', 'homework help', 'homework'], ['tutoría', 'ayuda con tareas', 'tareas']),
  need(['special education', 'iep'], ['educación especial']),
  need(['library', 'libraries', 'books'], ['biblioteca', 'libros']),
  need(
    ['college', 'university', 'scholarship', 'financial aid'],
    ['universidad', 'beca', 'becas', 'ayuda financiera universitaria'],
  ),
  need(
    ['computer class', 'computer training', 'computer skills'],
    ['clases de computación', 'curso de computación'],
  ),
  need(['volunteer', 'volunteering', 'volunteer opportunity'], ['voluntario', 'voluntariado']),
  // Law and papers
  need(
    ['legal', 'legal aid', 'lawyer', 'attorney', 'legal help', 'free lawyer', 'legal services'],
    ['legal', 'ayuda legal', 'abogado', 'abogada', 'asistencia legal', 'servicios legales'],
  ),
  need(
    [
      'immigration',
      'immigrant',
      'immigration lawyer',
      'visa',
      'green card',
      'daca',
      'undocumented',
      'work permit',
    ],
    [
      'inmigración',
      'inmigrante',
      'migración',
      'abogado de inmigración',
      'residencia permanente',
      'indocumentado',
      'permiso de trabajo',
    ],
  ),
  need(['citizenship', 'naturalization'], ['ciudadanía', 'naturalización']),
  need(['deportation', 'detained by ice', 'immigration detention'], ['deportación', 'detención migratoria']),
  need(['refugee', 'resettlement'], ['refugiado', 'refugiados']),
  need(['passport'], ['pasaporte']),
  need(['consulate', 'embassy'], ['consulado', 'embajada']),
  need(
    ['interpreter', 'translation', 'translator', 'interpretation'],
    ['intérprete', 'traducción', 'traductor'],
  ),
  need(['expungement', 'criminal record', 'record sealing'], ['antecedentes penales', 'borrar antecedentes']),
  need(
    ['reentry', 'ex offender', 'ex felon', 'released from prison', 'parole', 'probation'],
    ['reinserción', 'ex convicto', 'libertad condicional', 'exreclusos'],
  ),
  need(['jail', 'prison', 'inmate', 'incarcerated'], ['cárcel', 'prisión', 'encarcelado', 'reclusos']),
  need(['court', 'courthouse', 'self help center'], ['corte', 'tribunal', 'juzgado']),
  need(['public defender'], ['defensor público']),
  need(['mediation', 'dispute resolution'], ['mediación', 'resolución de conflictos']),
  need(
    ['discrimination', 'civil rights', 'human rights'],
    ['discriminación', 'derechos civiles', 'derechos humanos'],
  ),
  need(['hate crime'], ['crimen de odio']),
  need(
    ['consumer protection', 'complaint', 'consumer complaint'],
    ['protección al consumidor', 'queja', 'denuncia'],
  ),
  need(['scam', 'fraud', 'swindled'], ['estafa', 'fraude', 'me estafaron']),
  need(['identity theft'], ['robo de identidad']),
  need(['power of attorney'], ['poder notarial', 'poder legal']),
  need(['guardianship', 'legal guardian', 'conservatorship'], ['tutela', 'tutor legal', 'curatela']),
  need(['last will', 'living will', 'estate planning'], ['testamento', 'testamento vital']),
  // In Latin America a notario is a lawyer. Records of legal aid are not meant.
  need(['notary', 'notary public'], ['notario', 'notario público', 'notaría']),
  need(['voter', 'vote', 'voter registration', 'elections'], ['votar', 'registro de votantes', 'elecciones']),
  need(['veteran', 'veterans', 'military', 'va benefits'], ['veterano', 'veteranos', 'militar']),
  need(['church', 'faith', 'religious', 'worship'], ['iglesia', 'religión', 'religioso', 'culto']),
  need(['recreation', 'recreation center'], ['recreación', 'centro recreativo']),
  need(['sports', 'athletics'], ['deportes', 'deporte']),
  need(['park', 'playground'], ['parque', 'parque infantil']),
  need(['community center'], ['centro comunitario']),
  need(['swimming', 'pool', 'swimming lessons'], ['natación', 'piscina', 'alberca', 'clases de natación']),
  need(['museum', 'museums'], ['museo', 'museos']),
  need(['music lessons', 'music class'], ['clases de música']),
  need(['dance class', 'ballet'], ['clases de baile', 'ballet']),
  need(['art class', 'arts and crafts'], ['clases de arte', 'manualidades']),
  need(['garbage', 'trash', 'recycling', 'trash pickup'], ['basura', 'reciclaje', 'recogida de basura']),
  need(['donate', 'donation'], ['donar', 'donación', 'donaciones']),
  need(['blood donation', 'donate blood', 'blood bank'], ['donar sangre', 'banco de sangre']),
  need(
    ['211', 'information referral', 'community resources'],
    ['información y referencia', 'recursos comunitarios'],
  ),
  need(['hotline', 'helpline'], ['línea de ayuda', 'línea directa']),
];
